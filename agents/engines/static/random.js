// The random numbers of Python's random.Random, as far as searches need them to begin with.

const SIZE = 624;
const MIDDLE = 397;

/** The Mersenne Twister, seeded as Python does. */
class Twister {
  /** @param {bigint} seed */
  constructor(seed) {
    /** @type {number[]} */
    const key = [];
    for (let rest = seed < 0n ? -seed : seed; rest > 0n; rest >>= 32n) {
      key.push(Number(rest & 0xffffffffn));
    }
    this.state = new Uint32Array(SIZE);
    this.fill(19650218);
    this.mix(key.length ? key : [0]);
    this.at = SIZE;
  }

  /** @param {number} seed */
  fill(seed) {
    const { state } = this;
    state[0] = seed;
    for (let i = 1; i < SIZE; i++) {
      state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    }
  }

  /** @param {number[]} key */
  mix(key) {
    const { state } = this;
    let i = 1;
    const step = () => {
      i += 1;
      if (i < SIZE) return;
      state[0] = state[SIZE - 1];
      i = 1;
    };
    const before = () => state[i - 1] ^ (state[i - 1] >>> 30);
    for (let k = 0; k < Math.max(SIZE, key.length); k++) {
      const j = k % key.length;
      state[i] = (state[i] ^ Math.imul(before(), 1664525)) + key[j] + j;
      step();
    }
    for (let k = 0; k < SIZE - 1; k++) {
      state[i] = (state[i] ^ Math.imul(before(), 1566083941)) - i;
      step();
    }
    state[0] = 0x80000000;
  }

  /** The next 32 bits. */
  next() {
    if (this.at === SIZE) this.twist();
    let y = this.state[this.at];
    this.at += 1;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  twist() {
    const { state } = this;
    for (let i = 0; i < SIZE; i++) {
      const y = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
      state[i] = state[(i + MIDDLE) % SIZE] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.at = 0;
  }
}

/**
 * What random.Random(seed).getrandbits(bits) returns in Python.
 * @param {number | bigint} seed
 * @param {number} bits At most 64.
 */
export function randomBits(seed, bits) {
  const twister = new Twister(BigInt(seed));
  let found = 0n;
  for (let have = 0; have < bits; have += 32) {
    const missing = Math.max(0, 32 - (bits - have));
    found |= BigInt(twister.next() >>> missing) << BigInt(have);
  }
  return found;
}

/** A seed that nobody knows before, of 53 bits. */
export function anySeed() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}

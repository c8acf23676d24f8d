// Python's random numbers, so that agents draw the same here and there: the Mersenne Twister of
// M. Matsumoto and T. Nishimura (1998), seeded and used as Python's module random does.

/** @import { Seed } from "../engine" */

const [SIZE, MIDDLE] = [624, 397];

/** The numbers that random.Random(seed) draws. */
export class PythonRandom {
  /** @param {Seed} seed A whole number, as text in decimal; null: another one each time. */
  constructor(seed) {
    this.state = new Uint32Array(SIZE);
    this.at = SIZE;
    this.seed(seed === null ? crypto.getRandomValues(new Uint32Array(8)) : keyOf(seed));
  }

  /** @param {Uint32Array} key */
  seed(key) {
    const { state } = this;
    state[0] = 19650218;
    for (let i = 1; i < SIZE; i++) {
      state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    }
    let i = 1;
    for (let round = 0; round < Math.max(SIZE, key.length); round++) {
      const j = round % key.length;
      state[i] = (state[i] ^ Math.imul(state[i - 1] ^ (state[i - 1] >>> 30), 1664525)) + key[j] + j;
      i = this.following(i);
    }
    for (let round = 1; round < SIZE; round++) {
      state[i] = (state[i] ^ Math.imul(state[i - 1] ^ (state[i - 1] >>> 30), 1566083941)) - i;
      i = this.following(i);
    }
    state[0] = 0x80000000;
  }

  /** @param {number} i */
  following(i) {
    if (i + 1 < SIZE) return i + 1;
    this.state[0] = this.state[SIZE - 1];
    return 1;
  }

  twist() {
    const { state } = this;
    for (let i = 0; i < SIZE; i++) {
      const mixed = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
      const odd = mixed & 1 ? 0x9908b0df : 0;
      state[i] = state[(i + MIDDLE) % SIZE] ^ (mixed >>> 1) ^ odd;
    }
    this.at = 0;
  }

  /** 32 random bits, as a number. */
  word() {
    if (this.at >= SIZE) this.twist();
    let word = this.state[this.at++];
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  /**
   * Random bits, 1 to 64, as random.getrandbits draws them.
   * @param {number} number
   */
  bits(number) {
    const low = BigInt(this.word() >>> Math.max(0, 32 - number));
    if (number <= 32) return low;
    return (BigInt(this.word() >>> (64 - number)) << 32n) | low;
  }

  /** A number from 0 to 1, 1 excluded. */
  fraction() {
    return ((this.word() >>> 5) * 67108864 + (this.word() >>> 6)) / 9007199254740992;
  }

  /**
   * One of the elements, as random.choice draws it.
   * @template T
   * @param {T[]} elements
   */
  choice(elements) {
    const bits = 32 - Math.clz32(elements.length);
    let drawn = Number(this.bits(bits));
    while (drawn >= elements.length) drawn = Number(this.bits(bits));
    return elements[drawn];
  }

  /**
   * One of the elements by their weights, as random.choices draws it.
   * @template T
   * @param {T[]} elements
   * @param {number[]} weights
   */
  weighted(elements, weights) {
    let total = 0;
    const sums = weights.map((weight) => (total += weight));
    const mark = this.fraction() * total;
    const at = sums.findIndex((sum) => mark < sum);
    return elements[at < 0 ? elements.length - 1 : at];
  }
}

/**
 * The words of a seed, as Python splits it; Error for what is no whole number.
 * @param {NonNullable<Seed>} seed
 */
function keyOf(seed) {
  const isExact = typeof seed === "number" ? Number.isSafeInteger(seed) : /^-?\d+$/.test(String(seed));
  if (!isExact) {
    throw new Error(`a seed is a whole number, beyond 2**53 as text or BigInt, or null, not ${seed}`);
  }
  let left = BigInt(seed);
  if (left < 0n) left = -left;
  const words = [];
  do {
    words.push(Number(left & 0xffffffffn));
    left >>= 32n;
  } while (left > 0n);
  return Uint32Array.from(words);
}

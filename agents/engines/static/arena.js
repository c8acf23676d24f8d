// The memory of a module: arrays that are allocated one after the other, and all freed together.

/**
 * The kinds of arrays, with the bytes of an element.
 * @typedef {"i8" | "i32" | "i64" | "f64"} ArrayKind
 */
const SIZES = { i8: 1, i32: 4, i64: 8, f64: 8 };
const PAGE = 65536;
/** Arrays begin at multiples of so many bytes. */
const ALIGNED = 64;

/** An array in the memory of a module. Views of it end when the memory grows: ask anew. */
export class ModuleArray {
  /**
   * @param {WebAssembly.Memory} memory
   * @param {ArrayKind} kind
   * @param {number} address
   * @param {number[]} shape
   * @param {number} length In elements.
   */
  constructor(memory, kind, address, shape, length) {
    this.memory = memory;
    this.kind = kind;
    this.address = address;
    this.shape = shape;
    this.length = length;
  }

  /** The elements, of an array of 64-bit whole numbers. */
  get words() {
    return new BigInt64Array(this.memory.buffer, this.address, this.length);
  }

  /** The elements, of an array of floats. */
  get floats() {
    return new Float64Array(this.memory.buffer, this.address, this.length);
  }

  /** The elements, of an array of 32-bit whole numbers. */
  get integers() {
    return new Int32Array(this.memory.buffer, this.address, this.length);
  }

  /** The first elements, of an array of 64-bit whole numbers, up to a negative one. */
  until() {
    const all = Array.from(this.words, Number);
    const end = all.findIndex((number) => number < 0);
    return end < 0 ? all : all.slice(0, end);
  }
}

/** Allocates arrays in the memory of a module. */
export class Arena {
  /**
   * @param {WebAssembly.Memory} memory
   * @param {number} base The first address that is free.
   */
  constructor(memory, base) {
    this.memory = memory;
    this.top = base;
    /** Memory from here on was never written to. */
    this.fresh = base;
  }

  /**
   * An array of zeros or, of a kind that the module will fill itself, of anything.
   * @param {ArrayKind} kind
   * @param {number[]} shape
   */
  array(kind, ...shape) {
    const length = shape.reduce((product, number) => product * number, 1);
    const address = this.room(length * SIZES[kind]);
    const dirty = Math.min(this.fresh, this.top) - address;
    if (dirty > 0) new Uint8Array(this.memory.buffer, address, dirty).fill(0);
    this.fresh = Math.max(this.fresh, this.top);
    return new ModuleArray(this.memory, kind, address, shape, length);
  }

  /**
   * An array of records, of anything.
   * @param {number} length
   * @param {number} size In bytes, of a record.
   */
  records(length, size) {
    const address = this.room(length * size);
    this.fresh = Math.max(this.fresh, this.top);
    return new ModuleArray(this.memory, "i8", address, [length], length * size);
  }

  /**
   * What a function returns that uses arrays which are freed again.
   * @template T
   * @param {() => T} use
   */
  briefly(use) {
    const { top } = this;
    try {
      return use();
    } finally {
      this.top = top;
    }
  }

  /**
   * The address of room for bytes; Error if there is none.
   * @param {number} bytes
   */
  room(bytes) {
    const address = Math.ceil(this.top / ALIGNED) * ALIGNED;
    const missing = address + bytes - this.memory.buffer.byteLength;
    try {
      if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    } catch {
      const megabytes = Math.ceil(bytes / 2 ** 20);
      throw new Error(`there is no memory for a search that needs ${megabytes} MB more`);
    }
    this.top = address + bytes;
    return address;
  }
}

// Reads files: of a server, in browsers and in Node, or of the disk, in Node.

/** @import { FileAddress } from "../engine" */

/** What Node reads files with; not written out, as browsers and what packs for them have none. */
const NODE_FILES = "node:fs/promises";

/**
 * What lies at an address; Error if there is nothing.
 * @param {FileAddress} source
 * @returns {Promise<ArrayBuffer | Uint8Array<ArrayBuffer>>}
 */
export async function bytesAt(source) {
  const address = typeof source === "string" ? source : source.href;
  if (address.startsWith("file:")) {
    const { readFile } = await import(NODE_FILES);
    return readFile(new URL(address));
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`there is nothing at ${address}: ${response.status}`);
  return response.arrayBuffer();
}

/**
 * The data at an address, which is JSON.
 * @param {FileAddress} address
 */
export async function dataAt(address) {
  return JSON.parse(new TextDecoder().decode(await bytesAt(address)));
}

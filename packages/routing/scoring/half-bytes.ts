/** Packs two numbers from -7 to 7 into each byte, the first in the lower half. */
export function packHalves(values: Int8Array): Uint8Array {
  return Uint8Array.from(
    { length: values.length / 2 },
    (_, at) => (values[at * 2]! & 0xf) | ((values[at * 2 + 1]! & 0xf) << 4),
  )
}

/** Reverses `packHalves`. */
export function unpackHalves(bytes: Uint8Array): Int8Array {
  // Shifting up and back extends the sign.
  return Int8Array.from({ length: bytes.length * 2 }, (_, at) =>
    at % 2 === 0 ? (bytes[at / 2]! << 28) >> 28 : (bytes[(at - 1) / 2]! << 24) >> 28,
  )
}

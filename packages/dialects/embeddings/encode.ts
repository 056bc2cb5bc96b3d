import { endianness } from 'node:os'
import type { VectorEncoding } from '@turnpike/protocol'
import { parseJson } from '../json/parse-json.ts'
import { base64Bytes, unusable, type Vector } from './answer.ts'

const bytesPerFloat = 4
const isLittleEndian = endianness() === 'LE'

/**
 * The vector in the encoding that its caller reads. For base64, each number becomes the nearest 32-bit float,
 * which is all that this encoding can hold. For numbers, each float is written so that it reads back as
 * itself.
 * @throws {GatewayError} 502 if it is not a vector
 */
export function encodeVector(vector: Vector, encoding: VectorEncoding): Buffer {
  if (vector.encoding === encoding) return vector.text
  return encoding === 'base64' ? toBase64(vector.text) : toNumbers(vector.text)
}

function toBase64(text: Buffer): Buffer {
  const numbers = parseJson(text.toString('latin1'))
  if (!Array.isArray(numbers) || !numbers.every((one) => typeof one === 'number'))
    throw unusable('a vector that is not a list of numbers')
  const bytes = Buffer.from(Float32Array.from(numbers).buffer)
  if (!isLittleEndian) bytes.swap32()
  return Buffer.from(bytes.toString('base64'), 'latin1')
}

function toNumbers(text: Buffer): Buffer {
  const bytes = Buffer.from(text.toString('latin1'), 'base64')
  if (bytes.length === 0 || bytes.length % bytesPerFloat !== 0 || bytes.length !== base64Bytes(text))
    throw unusable('a vector that is not base64 of 32-bit floats')
  const numbers: string[] = []
  for (let at = 0; at < bytes.length; at += bytesPerFloat) {
    const number = bytes.readFloatLE(at)
    if (!Number.isFinite(number)) throw unusable('a vector with values that are not finite numbers')
    numbers.push(Object.is(number, -0) ? '-0' : String(number))
  }
  return Buffer.from(`[${numbers.join(',')}]`, 'latin1')
}

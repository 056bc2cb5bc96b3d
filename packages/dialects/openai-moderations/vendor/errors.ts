/** OpenAI's envelope. */
export { decodeVendorError as decodeError } from '../../vendor-errors/decode-error.ts'

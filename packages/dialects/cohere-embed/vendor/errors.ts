/** The shared reader handles Cohere's `{"message": "…"}`. */
export { decodeVendorError as decodeError } from '../../vendor-errors/decode-error.ts'

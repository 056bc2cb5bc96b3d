/** Cohere's `{"message": "…"}` is understood as other vendors' errors are. */
export { decodeVendorError as decodeError } from '../../vendor-errors/decode-error.ts'

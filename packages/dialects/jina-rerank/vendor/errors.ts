/** `{"detail": "…"}`, or OpenAI's envelope, as of vLLM. */
export { decodeVendorError as decodeError } from '../../vendor-errors/decode-error.ts'

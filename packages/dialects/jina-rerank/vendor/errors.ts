/** `{"detail": "…"}`, or OpenAI's envelope from vLLM. */
export { decodeVendorError as decodeError } from '../../vendor-errors/decode-error.ts'

/** OpenRouter's format name for Google's thoughts. Only this format's thoughts are sent back to Google. */
export const thoughtFormat = 'google-gemini-v1'

/**
 * Google's documented signature for calls that it did not make
 * (https://ai.google.dev/gemini-api/docs/thought-signatures, at its end). Without any signature, Gemini 3
 * refuses the request.
 */
export const foreignSignature = 'skip_thought_signature_validator'

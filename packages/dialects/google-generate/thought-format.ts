/** OpenRouter's format name for Google's thoughts. Only this format's thoughts are sent back to Google. */
export const thoughtFormat = 'google-gemini-v1'

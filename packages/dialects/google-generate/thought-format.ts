/** Whose thoughts they are: only this format sends them back (OpenRouter's word for them). */
export const thoughtFormat = 'google-gemini-v1'

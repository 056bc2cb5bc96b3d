/** OpenAI reports none, Mistral `{"prompt_tokens": 8, "total_tokens": 8}`. */
export { parseInputUsage as parseUsage } from '../../answers/input-usage.ts'

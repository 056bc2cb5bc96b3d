import type { VendorError } from './vendor-error.ts'

/** The error types that vendors have for it. */
const words = new Set([
  'context_length_exceeded',
  'model_context_window_exceeded',
  // llama.cpp
  'exceed_context_size_error',
  // Perplexity
  'too_many_prompt_tokens',
])

/** Messages of vendors that report it as a plain bad request. */
const sayings = [
  // OpenAI, DeepSeek, Mistral, Together, Fireworks, vLLM, SGLang, LM Studio, llama.cpp
  /\bcontext (length|window|size)\b/i,
  /\binput tokens exceed the configured limit\b/i,
  // Anthropic, Z.ai, Ollama: `prompt is too long: 207791 tokens > 200000 maximum`
  /\bprompt (is )?too long\b/i,
  /\bexceeds? (the )?context limit\b/i,
  // Google: `The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).`, and
  // Vertex: `The input token count is 1300000 but model only supports up to 1048576.`
  /\binput token count\b.*\b(exceeds|only supports up to)\b/i,
  // Hugging Face: "`inputs` tokens + `max_new_tokens` must be <= 4096", "`inputs` must have less than …"
  /^input validation error: `inputs` (tokens \+|must have less than)/i,
  // xAI, Poolside
  /\bmaximum (prompt|allowed input) length\b/i,
  // Groq
  /\breduce the length of the messages\b/i,
  // Moonshot
  /\bexceeded model token limit\b/i,
  // Alibaba
  /\brange of input length should be\b/i,
  // Bedrock
  /\binput is too long for requested model\b/i,
  /\bnumber of input tokens exceeds\b/i,
  // Perplexity
  /\blength of all messages is too long\b/i,
]

/** Statuses under which vendors reject a request for its length. A 429 about tokens means something else. */
const statuses = new Set([400, 413, 422])

/** Whether a vendor's error means that the request is too long for the model's context. */
export function isContextTooLong(status: number, error: VendorError): boolean {
  if (!statuses.has(status)) return false
  const { message } = error
  if (error.words.some((word) => words.has(word))) return true
  return message !== undefined && sayings.some((saying) => saying.test(message))
}

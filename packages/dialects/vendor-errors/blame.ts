import type { VendorError } from './vendor-error.ts'

/*
 * Decides whether the caller caused an error, or the gateway's account and key did. Statuses do not tell,
 * since each cause occurs under several. Messages are matched from their beginning: later text may quote the
 * caller, who must not be able to have a key disabled.
 */

/** Error types that mean an account is empty or suspended. */
const emptyAccountWords = new Set([
  'insufficient_quota',
  // OpenAI
  'billing_not_active',
  // Moonshot, under 429: https://forum.moonshot.ai/t/429-insufficient-balance/244
  'exceeded_current_quota_error',
  // Z.ai, under 429: https://docs.z.ai/api-reference/api-code
  '1113',
  // Alibaba, under 400: https://help.aliyun.com/en/model-studio/error-code
  'arrearage',
])

const emptyAccountSayings = [
  // Anthropic, under 400 (anthropics/claude-code#38035)
  /^your credit balance is too low\b/i,
  /^you have reached your specified api usage limits\b/i,
  // xAI, under 403 and 429
  /^your (newly created )?teams? .*\b(credits|licenses|spending limit)\b/i,
  // Fireworks, under 412 (theopenco/llmgateway#3838)
  /^account \S+ is suspended\b/i,
  // Google, under 429. The same error type also means too many requests.
  /^your prepayment credits are depleted\b/i,
  /^your project has exceeded its (monthly )?spending cap\b/i,
  // DeepSeek, Z.ai, Hugging Face
  /^insufficient balance\b/i,
  /^you have exceeded your monthly included credits\b/i,
]

/** Alibaba calls its token rate limit `insufficient_quota`, which at OpenAI means an empty account. */
const limitAtAlibaba = /^allocated quota exceeded\b|model-studio\/error-code#token-limit\b/i

/** OpenAI reports an empty account with the status of a rate limit, but waiting does not help. */
export function isAccountEmpty(status: number, { message, words }: VendorError): boolean {
  if (status === 402) return true
  if (status === 404 || status === 422 || status < 400 || status > 429) return false
  if (message !== undefined && limitAtAlibaba.test(message)) return false
  if (words.some((word) => emptyAccountWords.has(word))) return true
  return message !== undefined && emptyAccountSayings.some((saying) => saying.test(message))
}

/** Any 401. xAI and Google report a wrong key as a bad request, and so does Anthropic a disabled account. */
export function isKeyRefused(status: number, { message, words }: VendorError): boolean {
  if (status === 401) return true
  if (status !== 400) return false
  if (words.includes('invalid_api_key')) return true
  return (
    message !== undefined &&
    (/^(incorrect|invalid|expired) api[ _-]?key\b|^api[ _-]?key (not valid|expired)\b/i.test(message) ||
      // anthropics/claude-code#72457
      /^this organization has been disabled\b/i.test(message))
  )
}

const contentWords = /content_(?:policy|filter)|moderation|safety|policy_violation|data_inspection|^1301$/
const contentSayings = new RegExp(
  String.raw`\b(?:moderation|flagged|unsafe|harmful)\b|\b(?:usage|safety) (?:policy|policies|guidelines)\b|` +
    String.raw`\bcontent (?:policy|filter|management policy|violates)\b`,
  'i',
)

/**
 * A 403 that is about the caller's content and not about our key: OpenRouter's, if a model's moderation
 * objects, and xAI's `Content violates usage guidelines.` (UKGovernmentBEIS/inspect_ai#2267).
 */
export function isContentRefused({ message, words }: VendorError): boolean {
  if (words.some((word) => contentWords.test(word))) return true
  return message !== undefined && contentSayings.test(message)
}

const proofSayings = [
  // OpenAI and Azure: "The encrypted content gAAA… could not be verified." (openai/codex#8145)
  /^the encrypted content\b.{0,300}?\bcould not be (?:verified|decrypted)\b/is,
  // Anthropic: "messages.1.content.0: Invalid `signature` in `thinking` block" (anthropics/claude-code#10627)
  /^(?:messages\.[\w.]{1,60}: )?invalid `(?:signature|data)` in `(?:redacted_)?thinking` block\b/i,
  // Google: "Corrupted thought signature." (google-gemini/gemini-cli#13467)
  /^(?:corrupted|invalid) thought signature\b/i,
  /^unable to submit request because thought signature is not valid\b/i,
]

/** A proof of earlier reasoning was made for another account or another model. */
export function isProofRefused(status: number, { message, words }: VendorError): boolean {
  if (status !== 400) return false
  if (words.includes('invalid_encrypted_content')) return true
  return message !== undefined && proofSayings.some((saying) => saying.test(message))
}

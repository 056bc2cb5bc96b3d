import type { Schemas } from '../../api/client.ts'

type Request = Schemas['RequestDetail']

/** Why a request failed, and what its sender can do about it. */
export interface Remedy {
  title: string
  cause: string
  remedy: string
  /** The page for the remedy. */
  place?: 'credit' | 'keys' | 'models' | 'docs'
}

const spared = 'It cost nothing.'

/** The description of an error type. */
export function causeOf(errorType: string): Pick<Remedy, 'title' | 'cause'> {
  return byType[errorType] ?? unknown
}

/** By the error type (docs/contract.md, 2); the exact message was only in the response. */
export function failureOf(request: Request): Remedy {
  const description = byType[request.error_type ?? ''] ?? unknown
  const attempts = attemptsInWords(request)
  const cause = attempts === '' ? description.cause : `${description.cause} ${attempts}`
  return { ...description, ...aboutField(request), cause: `${cause} ${spared}` }
}

/** The remedy if the error is about a field. */
function aboutField({ error_type: type, error_param: field }: Request): Partial<Remedy> {
  if (field === null || type !== 'invalid_request_error') return {}
  return {
    title: `The field “${field}” was refused`,
    remedy: `Fix “${field}”, then retry.`,
  }
}

/** Requests that were charged, but did not end with the model's own last token. */
export const endedEarly: Partial<Record<Request['outcome'], Remedy>> = {
  client_closed: {
    title: 'The client disconnected',
    cause: 'The caller closed the connection during the answer. The part that was received was charged.',
    remedy: 'If the client timed out, increase its timeout or use streaming.',
  },
  upstream_cut: {
    title: 'The vendor ended the answer early',
    cause:
      'The vendor closed the connection in the middle of its answer. The part that was received was charged.',
    remedy: 'Retry. Fallback models (“models”) do not help once an answer has started.',
  },
  credit_exhausted: {
    title: 'Credit ran out',
    cause:
      'The answer was stopped because the key could not pay for more. The part that was received ' +
      'was charged.',
    remedy: 'Add credit or set a lower “max_tokens”.',
    place: 'credit',
  },
}

const unknown: Remedy = {
  title: 'The request failed',
  cause: 'The response contains the reason.',
  remedy: 'Contact your operator with the id above.',
}

const byType: Record<string, Remedy> = {
  invalid_request_error: {
    title: 'Invalid request',
    cause: 'A field was missing, invalid, or not supported by this model. The response names it.',
    remedy: 'Fix the field named in “error.message”, then retry.',
    place: 'docs',
  },
  authentication_error: {
    title: 'The key is not valid',
    cause: 'It is incorrect, revoked or expired.',
    remedy: 'Use an active key.',
    place: 'keys',
  },
  insufficient_quota: {
    title: 'Not enough credit',
    cause: 'The key’s credit, spend limit or budget does not cover what the request may cost.',
    remedy: 'Add credit or move some to the key, raise the limit or budget, or request fewer tokens.',
    place: 'credit',
  },
  permission_error: {
    title: 'Permission denied',
    cause: 'The key may not use this model, or the account is suspended.',
    remedy: 'Allow the model for the key, or use another model.',
    place: 'keys',
  },
  not_found_error: {
    title: 'Model not found',
    cause: 'No model has this name, or the model has no price.',
    remedy: 'Choose a model from the list and copy its id.',
    place: 'models',
  },
  request_too_large: {
    title: 'The request was too large',
    cause: 'Its body or its content exceeds a size limit.',
    remedy: 'Send smaller files or fewer messages.',
  },
  rate_limit_error: {
    title: 'Rate limit reached',
    cause: 'A rate limit of the key, the account or the vendor was reached.',
    remedy: 'Wait for the time in “Retry-After”, then retry. The official SDKs do this automatically.',
  },
  upstream_error: {
    title: 'The vendor returned an error',
    cause: 'The vendor returned an error or an unusable answer, or rejected the gateway.',
    remedy: 'Retry, or add fallback models (“models”). If it persists, contact your operator.',
  },
  overloaded_error: {
    title: 'The vendor is overloaded',
    cause: 'No vendor of this model had capacity.',
    remedy: 'Retry later, or add fallback models (“models”).',
  },
  service_unavailable: {
    title: 'No vendor available',
    cause: 'All vendors of the model were unavailable, or the gateway was starting or overloaded.',
    remedy: 'Retry later, or add fallback models (“models”).',
  },
  upstream_timeout: {
    title: 'The vendor took too long',
    cause: 'The first token did not arrive in time.',
    remedy: 'Retry, or use a faster model or streaming.',
  },
  client_closed_request: {
    title: 'The client disconnected before the first token',
    cause: 'The caller closed the connection.',
    remedy: 'If the client timed out, increase its timeout.',
  },
  api_error: {
    title: 'The gateway failed',
    cause: 'The request itself was fine.',
    remedy: 'Retry. If it persists, contact your operator with the id above.',
  },
}

/** `openai answered 429, then anthropic was resting.` */
function attemptsInWords({ attempts }: Request): string {
  if (attempts.length === 0) return ''
  const texts = attempts.map(({ provider, result, status }) =>
    status !== null && status >= 400
      ? `${provider} returned ${status}`
      : `${provider}: ${result.replaceAll('-', ' ')}`,
  )
  return `${texts.join(', then ')}.`
}

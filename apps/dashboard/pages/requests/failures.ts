import type { Schemas } from '../../api/client.ts'

type Request = Schemas['RequestDetail']

/** Why a request did not work, and what its sender can do about it. */
export interface Remedy {
  title: string
  cause: string
  remedy: string
  /** The page where that is done. */
  place?: 'credit' | 'keys' | 'models' | 'docs'
}

const spared = 'It cost nothing.'

/** What an error of this type is. */
export function causeOf(errorType: string): Pick<Remedy, 'title' | 'cause'> {
  return byType[errorType] ?? unknown
}

/** By the type that its error had (docs/contract.md, 2); the answer itself had the exact words. */
export function failureOf(request: Request): Remedy {
  const told = byType[request.error_type ?? ''] ?? unknown
  const attempts = attemptsInWords(request)
  const cause = attempts === '' ? told.cause : `${told.cause} ${attempts}`
  return { ...told, ...aboutField(request), cause: `${cause} ${spared}` }
}

/** What helps where the error named a field. */
function aboutField({ error_type: type, error_param: field }: Request): Partial<Remedy> {
  if (field === null || type !== 'invalid_request_error') return {}
  return {
    title: `The field “${field}” was refused`,
    remedy: `Correct “${field}”, and send the request again.`,
  }
}

/** Requests that were paid for and ended otherwise than by the model's own last word. */
export const endedEarly: Partial<Record<Request['outcome'], Remedy>> = {
  client_closed: {
    title: 'The client left before the end',
    cause: 'Whoever asked closed the connection. What had come until then was charged.',
    remedy: 'Where that was a time-out of the client, give it more time, or ask for a stream.',
  },
  upstream_cut: {
    title: 'The vendor broke off',
    cause: 'The vendor closed the connection in the middle of its answer. What had come was charged.',
    remedy: 'Send it again; a fallback model (“models”) does not help once an answer has begun.',
  },
  credit_exhausted: {
    title: 'The credit was used up',
    cause: 'The answer grew beyond what the key could pay, and was ended. What had come was charged.',
    remedy: 'Add credit, or bound the answer (“max_tokens”).',
    place: 'credit',
  },
}

const unknown: Remedy = {
  title: 'It failed',
  cause: 'The answer told why.',
  remedy: 'Give your operator the id above.',
}

const byType: Record<string, Remedy> = {
  invalid_request_error: {
    title: 'The request was refused as it is',
    cause: 'A field was missing, wrong, or not for this model; the answer named it.',
    remedy: 'Correct what “error.message” of the answer names, and send the request again.',
    place: 'docs',
  },
  authentication_error: {
    title: 'The key does not hold',
    cause: 'It is wrong, revoked, or has ended.',
    remedy: 'Use a key that is active.',
    place: 'keys',
  },
  insufficient_quota: {
    title: 'The key could not pay for it',
    cause:
      'Its credit, or what a spend limit or budget leaves of it, does not cover what the request may cost.',
    remedy:
      'Add credit to the key or move some to it, raise the limit or the budget, or ask for fewer tokens.',
    place: 'credit',
  },
  permission_error: {
    title: 'The key may not do this',
    cause: 'The model is not on the key’s list, or the account is suspended.',
    remedy: 'Allow the model for the key, or ask for another one.',
    place: 'keys',
  },
  not_found_error: {
    title: 'There is no such model',
    cause: 'Nothing is called that here, or it has no price.',
    remedy: 'Choose one of the list; its id can be copied there.',
    place: 'models',
  },
  request_too_large: {
    title: 'The request was too large',
    cause: 'Its body, or what is in it, is beyond what is taken.',
    remedy: 'Send less of it: smaller files, fewer messages.',
  },
  rate_limit_error: {
    title: 'Too many requests at once',
    cause: 'The key’s, the account’s or the vendor’s limit of a second or a minute was reached.',
    remedy: 'Wait as long as “Retry-After” of the answer says, and send it again; the official SDKs do.',
  },
  upstream_error: {
    title: 'The vendor gave nothing usable',
    cause: 'Whoever was asked answered with an error of its own, or refused the gateway.',
    remedy:
      'Send it again, or name further models to fall back to (“models”). Where it lasts, tell your operator.',
  },
  overloaded_error: {
    title: 'The vendor is overloaded',
    cause: 'Nobody who serves the model had room for it.',
    remedy: 'Send it again in a while, or name further models to fall back to (“models”).',
  },
  service_unavailable: {
    title: 'Nobody could answer',
    cause: 'Every vendor of the model was resting, away or full, or the gateway was starting or full.',
    remedy: 'Send it again in a while, or name further models to fall back to (“models”).',
  },
  upstream_timeout: {
    title: 'The vendor took too long',
    cause: 'No first token came in time.',
    remedy: 'Send it again, or ask a faster model; a stream shows sooner that something comes.',
  },
  client_closed_request: {
    title: 'The client left before the first token',
    cause: 'Whoever asked closed the connection.',
    remedy: 'Where that was a time-out of the client, give it more time.',
  },
  api_error: {
    title: 'The gateway failed',
    cause: 'It is not the fault of the request.',
    remedy: 'Send it again. Where it lasts, give your operator the id above.',
  },
}

/** `openai answered 429, then anthropic was resting.` */
function attemptsInWords({ attempts }: Request): string {
  if (attempts.length === 0) return ''
  const told = attempts.map(({ provider, result, status }) =>
    status !== null && status >= 400
      ? `${provider} answered ${status}`
      : `${provider}: ${result.replaceAll('-', ' ')}`,
  )
  return `${told.join(', then ')}.`
}

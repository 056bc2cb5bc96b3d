import type { GatewayError } from '@turnpike/protocol'
import { isObject } from '../json/object.ts'
import { parseJson } from '../json/parse-json.ts'
import { decodeVendorError, type FailedAnswer } from './decode-error.ts'

/*
 * AWS errors have a name that says more than the status. It is in the header `x-amzn-errortype`, in the
 * body's `__type`, and in a stream as the type of an exception.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
 */

/** The equivalent status at other vendors, by the error's name in lower case without `Exception`. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['expiredtoken', 401],
  ['unrecognizedclient', 401],
  ['invalidsignature', 401],
  ['signaturedoesnotmatch', 401],
  ['invalidclienttokenid', 401],
  ['missingauthenticationtoken', 401],
  ['missingauthentication', 401],
  ['incompletesignature', 401],
  ['requestexpired', 401],
  ['notauthorized', 401],
  ['accessdenied', 403],
  ['optinrequired', 403],
  ['throttling', 429],
  ['toomanyrequests', 429],
  ['modelnotready', 503],
  ['serviceunavailable', 503],
  ['servicequotaexceeded', 402],
  ['modeltimeout', 504],
  ['modelerror', 502],
  ['modelstreamerror', 502],
  ['internalserver', 500],
  ['internalfailure', 500],
  ['validation', 400],
  ['resourcenotfound', 404],
  ['conflict', 409],
])

/**
 * The operator's configuration of a model is wrong, or its account lacks a permission, so another candidate
 * may answer. Matched from the beginning of the message: later text may quote the caller, who must not be
 * able to have an upstream disabled.
 */
const wrongRow = new RegExp(
  '^(?:' +
    [
      'invocation of model id \\S+ with on-demand throughput isn.t supported',
      'the provided model identifier is invalid',
      '(?:the )?(?:provided |requested )?inference profile\\b',
      'model access is denied',
      'model use case details have not been submitted',
      '(?:access denied\\. )?this model is marked by provider as legacy',
      'this model version has reached the end of its life',
      'could not resolve the foundation model',
      'operation not allowed\\b',
      'access to \\w+ models is not allowed from unsupported',
      'your account is not authorized',
      'the (?:provided )?guardrail (?:identifier|arn|version)\\b',
    ].join('|') +
    ')',
  'i',
)

/** A daily quota is not available again within a minute. */
const ofDay = /\bper day\b|\bdaily\b/i
const hourSeconds = 3600

/** Converts an AWS response that is not a success to the caller's error. */
export function decodeAwsError(answer: FailedAnswer): GatewayError {
  const body = parseJson(answer.body)
  const status = statusOf(nameOf(answer.errorType, body)) ?? (answer.status === 424 ? 502 : answer.status)
  const message = isObject(body) ? (body['message'] ?? body['Message']) : undefined
  const text = typeof message === 'string' ? message : ''
  if ((status === 400 || status === 404) && wrongRow.test(text.trimStart()))
    return decodeVendorError({ ...answer, status: 403 })
  const waits = status === 429 && ofDay.test(text) ? String(hourSeconds) : answer.retryAfter
  // The message comes from the body, if it has one; the status from the error's name.
  return decodeVendorError({ ...answer, status, retryAfter: waits, body: withMessage(answer.body, body) })
}

/**
 * The error for an exception event in a stream.
 * @param name its type, such as `throttlingException`
 * @param body its payload, parsed
 */
export function awsException(name: string, body: unknown): GatewayError {
  const text = JSON.stringify(body ?? {})
  return decodeAwsError({ status: 502, retryAfter: undefined, errorType: name, body: text })
}

function nameOf(errorType: string | undefined, body: unknown): string | undefined {
  if (errorType !== undefined && errorType !== '') return errorType
  const type = isObject(body) ? (body['__type'] ?? body['code']) : undefined
  return typeof type === 'string' ? type : undefined
}

/** `com.amazon.coral.validate#ValidationException:http://…` becomes `validation`. */
function statusOf(name: string | undefined): number | undefined {
  if (name === undefined) return undefined
  const bare = name.split(':')[0]!.split('#').at(-1)!
  return statuses.get(
    bare
      .toLowerCase()
      .replace(/exception$/, '')
      .replace(/servererror$/, 'server'),
  )
}

/** Some AWS services write `Message`, which no other vendor does. */
function withMessage(text: string, body: unknown): string {
  if (!isObject(body) || body['message'] !== undefined || typeof body['Message'] !== 'string') return text
  return JSON.stringify({ message: body['Message'] })
}

import {
  KeyOwnerRefused,
  PayerRefused,
  type ApiKey,
  type KeyOwnerRefusal,
  type PayerRefusal,
} from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { notFound, requireFound } from '../not-found.ts'

/** The key, or 404: another account's key looks like one that never existed. */
export function existing(key: ApiKey | undefined): ApiKey {
  return requireFound(key, 'Key')
}

/** The error for a key that no longer has credit of its own. */
export function inactive(param: string): GatewayError {
  return invalidRequest(param, `\`${param}\`: expected an active key. This one is revoked or replaced.`)
}

const payerMessages: Record<Exclude<PayerRefusal, 'unknown-payer'>, string> = {
  'payer-inactive': 'expected an active key. This one is revoked or replaced.',
  'payer-draws': 'expected a key with its own credit. This one draws on another key (see its `draws_on`).',
  'same-key': 'expected a different key. To give a key its own credit, use null.',
  'is-payer': 'other keys draw on this key, so it needs its own credit. Let them draw on another key first.',
  'key-inactive': 'the key is revoked or replaced, so it no longer pays for anything.',
}

/** The caller's error if a key cannot draw on the requested one; other errors unchanged. */
export function payerRefusal(error: unknown): unknown {
  if (!(error instanceof PayerRefused)) return error
  if (error.refusal === 'unknown-payer') return notFound('Key', 'draws_on')
  return invalidRequest('draws_on', `\`draws_on\`: ${payerMessages[error.refusal]}`)
}

const ownerRefusals: Record<KeyOwnerRefusal, () => GatewayError> = {
  'unknown-member': () => notFound('Member', 'member_id'),
  'unknown-project': () => notFound('Project', 'project_id'),
  'project-archived': () =>
    invalidRequest('project_id', '`project_id`: expected a project that is not archived.'),
}

/** As `payerRefusal`, also for a key that cannot belong to the requested member or project. */
export function keyRefusal(error: unknown): unknown {
  return error instanceof KeyOwnerRefused ? ownerRefusals[error.refusal]() : payerRefusal(error)
}

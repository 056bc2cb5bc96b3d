import type { LogDays } from '@turnpike/gateway'
import type { Account } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { Type } from 'typebox'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { epochSecondsOrNull, identifierOf, nullable, requestObject } from '../validation/fields.ts'
import { requestLogRecord, requestLogSchema } from './record.ts'
import { notFound, requireFound } from '../not-found.ts'

type LogServices = Pick<ManagementServices, 'promptLog' | 'usage' | 'apiKeys'>

const dayMs = 24 * 60 * 60 * 1000

const settingsSchema = Type.Object(
  {
    object: Type.Literal('prompt_log'),
    available: Type.Boolean({ description: 'False: the operator has turned off the prompt log.' }),
    log_prompts: Type.Boolean({ description: 'The account’s setting; keys may override it.' }),
    days: Type.Integer({ description: 'Retention in days: `log_days`, up to the maximum.' }),
    max_days: Type.Integer({ description: 'The longest that the operator allows.' }),
    max_bytes: Type.Integer({ description: 'Per request, and per answer; the rest is truncated.' }),
    max_account_bytes: Type.Integer({
      description: 'Of all entries, compressed; the oldest are deleted beyond that.',
    }),
    entries: Type.Integer(),
    bytes: Type.Integer({ description: 'Of all entries, compressed.' }),
    oldest_at: nullable(Type.Integer({ description: 'Unix epoch seconds.' })),
  },
  { title: 'PromptLog' },
)

/** What is stored of the account's prompts and answers, and its deletion. */
export const registerPromptLog: ScopedRoutes<AccountScope, LogServices> = (app, path, scope, services) => {
  app.get(path, { schema: { response: { 200: settingsSchema } } }, async (request) => {
    const account = await scope.account(request)
    const { promptLog } = services
    const figures = await promptLog?.figures(account.id)
    return {
      object: 'prompt_log' as const,
      available: promptLog !== undefined,
      log_prompts: account.logPrompts,
      days: promptLog === undefined ? 0 : daysOf(account, promptLog.settings.days),
      max_days: promptLog?.settings.days.most ?? 0,
      max_bytes: promptLog?.settings.maxBytes ?? 0,
      max_account_bytes: promptLog?.settings.maxAccountBytes ?? 0,
      entries: figures?.entries ?? 0,
      bytes: figures?.bytes ?? 0,
      oldest_at: epochSecondsOrNull(figures?.oldestAtMs ?? null),
    }
  })

  const deletedSchema = Type.Object({
    id: Type.String({ description: 'Of the account, or the key.' }),
    object: Type.Literal('prompt_log'),
    deleted: Type.Integer({ description: 'Number of deleted entries.' }),
  })
  const querystring = requestObject({ key_id: Type.Optional(identifierOf('key')) })
  app.delete(path, { schema: { querystring, response: { 200: deletedSchema } } }, async (request) => {
    const { id: accountId } = await scope.account(request)
    const { key_id: keyId } = request.query
    if (keyId === undefined && scope.onlyOf(request) !== undefined)
      throw invalidRequest(
        'key_id',
        '`key_id`: expected one of your own keys. Your role cannot delete the prompts of others.',
      )
    if (keyId !== undefined && (await scope.keys(request).find(accountId, keyId)) === undefined)
      throw notFound('Key', 'key_id')
    const deleted = (await services.promptLog?.dropAll(accountId, keyId)) ?? 0
    return { id: keyId ?? accountId, object: 'prompt_log' as const, deleted }
  })
}

/** The prompt and answer of one request; only for the account's own user. */
export const registerRequestLog: ScopedRoutes<AccountScope, LogServices> = (app, path, scope, services) => {
  const params = Type.Object({ request_id: identifierOf('req') })
  app.get(path, { schema: { params, response: { 200: requestLogSchema } } }, async (request) => {
    const account = await scope.account(request)
    const { request_id: id } = request.params
    const { promptLog } = services
    const isSeen = await isOfMember(account.id, id, scope.onlyOf(request), services)
    const found = isSeen ? await promptLog?.find(account.id, id) : undefined
    if (promptLog === undefined || found === undefined) throw noLog()
    return requestLogRecord(id, found, daysOf(account, promptLog.settings.days) * dayMs)
  })

  const deletedSchema = Type.Object({
    id: Type.String(),
    object: Type.Literal('request.log'),
    deleted: Type.Literal(true),
  })
  app.delete(path, { schema: { params, response: { 200: deletedSchema } } }, async (request) => {
    const { id: accountId } = await scope.account(request)
    const { request_id: requestId } = request.params
    const record = await services.usage.request(accountId, requestId, scope.onlyOf(request))
    const { keyId, startedAtMs: createdAtMs } = requireFound(record, 'Request')
    await services.promptLog?.drop({ accountId, requestId, keyId, createdAtMs })
    return { id: requestId, object: 'request.log' as const, deleted: true as const }
  })
}

/** Whether the request used a key of this member; undefined: any request does. */
async function isOfMember(
  accountId: string,
  requestId: string,
  memberId: string | undefined,
  { usage }: LogServices,
): Promise<boolean> {
  return memberId === undefined || (await usage.request(accountId, requestId, memberId)) !== undefined
}

function noLog(): GatewayError {
  const message =
    'There is no log entry for this request. The prompt log was off, or the entry was deleted or has expired.'
  return new GatewayError('not_found_error', message)
}

/** For how many days entries of an account are kept. */
export function daysOf({ logDays }: Account, { usual, most }: LogDays): number {
  return Math.min(logDays ?? usual, most)
}

/** Checks that the prompt log may be turned on, and for this long. @throws {GatewayError} 400, 403 */
export function requireLogAllowed(
  changes: { log_prompts?: boolean | null; log_days?: number | null },
  { promptLog }: Pick<ManagementServices, 'promptLog'>,
): void {
  if (promptLog === undefined && changes.log_prompts === true)
    throw new GatewayError(
      'permission_error',
      'The operator of this gateway has turned off the prompt log.',
      {
        param: 'log_prompts',
      },
    )
  const most = promptLog?.settings.days.most
  if (most !== undefined && (changes.log_days ?? 0) > most)
    throw invalidRequest('log_days', `\`log_days\`: expected at most ${most} days.`)
}

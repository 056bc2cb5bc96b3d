import {
  accountStatuses,
  type Account,
  type AccountChanges,
  type AccountFilter,
  type NewAccount,
} from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import { isOperatorsAddress, type OperatorKnowledge } from '../access/operators-address.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ManagementServices } from '../services.ts'
import { timeQuery, timeRange } from '../time-range.ts'
import { defaultIdentityProvider, defaultTier } from './defaults.ts'
import { accountRecord, accountSchema, displayName, email, subjectField } from './record.ts'
import { requestObject } from '../validation/fields.ts'
import { notFound } from '../not-found.ts'

const tier = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', 'x-expected': 'the name of a tier' })

const changesSchema = requestObject({
  display_name: Type.Optional(displayName),
  status: Type.Optional(Type.Enum([...accountStatuses])),
  tier: Type.Optional(tier),
  operator: Type.Optional(
    Type.Boolean({ description: 'Whether its user may administer the gateway with a user token.' }),
  ),
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'The reason; stored only in the audit log.' }),
  ),
})

const accountFilterFields = {
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'The full id of an account, key or request, a full subject or email address, or the ' +
        'start of an email address, its domain (`@example.com`), a first or last name, or a key, as ' +
        'in its `key_prefix`.',
    }),
  ),
  status: Type.Optional(Type.Enum([...accountStatuses])),
  kind: Type.Optional(Type.Enum(['person', 'organization'])),
  tier: Type.Optional(tier),
  operator: Type.Optional(Type.Boolean()),
  ...timeQuery,
}
const accountFilterSchema = Type.Object(accountFilterFields)

const accountQuery = {
  ...accountFilterFields,
  order: Type.Optional(
    Type.Enum(['oldest', 'newest'], { description: 'Order by creation time. Default `oldest`.' }),
  ),
}

interface ProvisionBody {
  email?: string
  display_name?: string
  tier?: string
}

function provisionSchema(subject: string) {
  return Type.Unsafe<ProvisionBody>(
    requestObject({
      [subject]: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      email: Type.Optional(email),
      display_name: Type.Optional(displayName),
      tier: Type.Optional(tier),
    }),
  )
}

/** Accounts as an operator sees them: created, listed, suspended, moved to another tier. */
export function registerAccounts(
  app: ManagementApp,
  path: string,
  scope: AccountScope,
  services: ManagementServices,
  hasSecret: (request: FastifyRequest) => boolean,
): void {
  const identityProvider = services.identityProvider ?? defaultIdentityProvider
  const subject = subjectField(identityProvider)
  const record = accountSchema(identityProvider)
  const params = Type.Object(scope.params)

  app.post(
    path,
    { schema: { body: provisionSchema(subject), response: { 200: record, 201: record } } },
    async (request, reply) => {
      const body: ProvisionBody & Record<string, string> = { ...request.body }
      const sparesOperators = !hasSecret(request)
      const details = newAccount(body, subject, services.defaultTier ?? defaultTier)
      if (sparesOperators) await refuseOperatorsAddress(details, services)
      const { account, created } = await services.accounts.provision(
        { ...details, sparesOperators },
        services.clock(),
      )
      return reply.code(created ? 201 : 200).send(accountRecord(account, identityProvider))
    },
  )

  app.get(
    path,
    {
      schema: {
        querystring: requestObject({ ...accountQuery, ...pageQuery }),
        response: { 200: listOf(record) },
      },
    },
    async (request) => {
      const { order, ...query } = request.query
      const listing = { ...pageOf(query), ...(order === 'newest' && { order: 'desc' as const }) }
      const page = await services.accounts.list(listing, accountFilter(query))
      return listAnswer(page, (account) => accountRecord(account, identityProvider))
    },
  )

  app.get(`${path}/:account_id`, { schema: { params, response: { 200: record } } }, async (request) =>
    accountRecord(await scope.account(request), identityProvider),
  )

  app.patch(
    `${path}/:account_id`,
    { schema: { params, body: changesSchema, response: { 200: record } } },
    async (request) => {
      const known = await scope.account(request)
      if (!hasSecret(request)) refuseOperators(known, request.body, services)
      if (known.kind === 'organization' && request.body.operator === true)
        throw invalidRequest(
          'operator',
          '`operator`: expected the account of a person. Nobody can sign in to this one.',
        )
      const { id } = known
      const account = await services.accounts.update(id, accountChanges(request.body))
      services.onAccountChanged(id)
      if (account === undefined) throw notFound('Account')
      return accountRecord(account, identityProvider)
    },
  )
}

function accountFilter(query: Static<typeof accountFilterSchema>): AccountFilter {
  const { search, status, kind, operator } = query
  return {
    ...(search !== undefined && { search }),
    ...(status !== undefined && { status }),
    ...(kind !== undefined && { kind }),
    ...(query.tier !== undefined && { tier: query.tier }),
    ...(operator !== undefined && { operator }),
    ...timeRange(query),
  }
}

function newAccount(body: ProvisionBody & Record<string, string>, subject: string, tier: string): NewAccount {
  const givenSubject = body[subject]
  if (givenSubject === undefined && body.email === undefined) {
    throw invalidRequest(subject, `One of \`${subject}\` and \`email\` is needed.`)
  }
  return {
    tier: body.tier ?? tier,
    ...(givenSubject === undefined ? {} : { subject: givenSubject }),
    ...(body.email === undefined ? {} : { email: body.email }),
    ...(body.display_name === undefined ? {} : { displayName: body.display_name }),
  }
}

/** Whoever holds this address would get the credit and rights that are found by it. */
async function refuseOperatorsAddress(
  { subject, email: address }: NewAccount,
  services: OperatorKnowledge,
): Promise<void> {
  if (subject === undefined || address === undefined) return
  if (await isOperatorsAddress(address, services))
    throw onlyBySecret('email', "give an operator's address to a subject")
}

/** A stolen operator token must not create further operators, or reactivate one who was locked out. */
function refuseOperators(
  account: Account,
  { operator, status }: Static<typeof changesSchema>,
  { operatorAddresses }: Pick<ManagementServices, 'operatorAddresses'>,
): void {
  if (operator !== undefined) throw onlyBySecret('operator', 'change who is an operator')
  const isOperators =
    account.operator || (account.email !== null && operatorAddresses?.mayInclude(account.email) === true)
  if (isOperators && status === 'active' && account.status !== 'active')
    throw onlyBySecret('status', "reactivate an operator's account")
}

function onlyBySecret(param: string, does: string): GatewayError {
  const message = `\`${param}\`: the internal secret is required to ${does}.`
  return new GatewayError('permission_error', message, { param })
}

function accountChanges(body: Static<typeof changesSchema>): AccountChanges {
  const status = accountStatuses.find((one) => one === body.status)
  return {
    ...(body.display_name === undefined ? {} : { displayName: body.display_name }),
    ...(status === undefined ? {} : { status }),
    ...(body.tier === undefined ? {} : { tier: body.tier }),
    ...(body.operator === undefined ? {} : { operator: body.operator }),
  }
}

import { vendorKeyStatuses, type VendorKeyChanges } from '@turnpike/identity'
import { invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import type { VendorKeyServices } from './services.ts'
import { requestObject } from '../validation/fields.ts'

const leastSecret = 16
const mostSecret = 4_096
const shownCharacters = 4
const mostPosition = 10_000
/** Users often have a key of this gateway on the same clipboard. */
const ownPrefix = 'sk-turnpike-'

const name = Type.String({ minLength: 1, maxLength: 100 })
const secret = Type.String({
  minLength: leastSecret,
  maxLength: mostSecret,
  pattern: '^[\\x21-\\x7e]+$',
  writeOnly: true,
  description: 'The key as issued by the vendor. It is encrypted and never returned.',
  'x-expected': `a key of ${leastSecret} to ${mostSecret} characters, without spaces`,
})
const allowsShared = Type.Boolean({
  description: 'Whether requests fall back to the gateway’s own keys, for credit. Default: true.',
})

export const creationSchema = requestObject({
  provider: Type.String({ minLength: 1, maxLength: 64, description: 'One of `GET …/providers`.' }),
  name: Type.Optional(name),
  secret,
  allow_fallback_to_shared: Type.Optional(allowsShared),
})

export const replacementSchema = requestObject({ secret })

export const changesSchema = requestObject({
  name: Type.Optional(name),
  status: Type.Optional(Type.Enum([...vendorKeyStatuses])),
  allow_fallback_to_shared: Type.Optional(allowsShared),
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: mostPosition })),
})

/** The changes in a request: only the fields that it names. */
export function vendorKeyChanges(body: Static<typeof changesSchema>): VendorKeyChanges {
  const { name: named, status, allow_fallback_to_shared: shared, position } = body
  return {
    ...(named !== undefined && { name: named }),
    ...(status !== undefined && { status }),
    ...(shared !== undefined && { allowsShared: shared }),
    ...(position !== undefined && { position }),
  }
}

/** @throws {GatewayError} 400 if the provider does not accept own keys */
export function providerOf(name: string, { providers }: Pick<VendorKeyServices, 'providers'>): string {
  if (providers.some((provider) => provider.name === name)) return name
  const names = providers.map((provider) => `\`${provider.name}\``).join(', ')
  throw invalidRequest('provider', `\`provider\`: expected one of ${names}.`)
}

/** The part of a secret that is shown. @throws {GatewayError} 400 if it is a key of this gateway */
export function lastOf(secret: string): string {
  if (secret.startsWith(ownPrefix))
    throw invalidRequest('secret', '`secret`: expected a key of the vendor. This is a key of the gateway.')
  return secret.slice(-shownCharacters)
}

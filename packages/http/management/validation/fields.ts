import { Type, type TProperties, type TSchema } from 'typebox'
import type { IdentifierPrefix } from '@turnpike/protocol'

/** One of our identifiers (docs/contract.md, 1). */
export function identifierOf(prefix: IdentifierPrefix) {
  return Type.String({
    pattern: identifierPattern(prefix),
    'x-expected': `an identifier beginning with \`${prefix}_\``,
  })
}

export function identifierPattern(prefix: IdentifierPrefix): string {
  return `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`
}

/** A body or query; an unknown field is refused by name. */
export function requestObject<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** USD in a request: a decimal string, or a JSON number. */
export const usdAmount = Type.Union([Type.String({ maxLength: 64 }), Type.Number()], {
  'x-expected': 'an amount of USD such as "12.50", with at most 12 decimals',
})

/** The response to a deletion. */
export const deletedSchema = Type.Object({ id: Type.String(), deleted: Type.Literal(true) })

/** USD in a response. */
export const usd = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', description: 'USD, as a decimal string.' })

/** Unix epoch seconds. */
export const timestamp = Type.Integer({ description: 'Unix epoch seconds.' })

/** The last second of the year 9999; a value in milliseconds would exceed it. */
export const lastTimestamp = 253_402_300_799

export function epochSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

export function epochSecondsOrNull(milliseconds: number | null): number | null {
  return milliseconds === null ? null : epochSeconds(milliseconds)
}

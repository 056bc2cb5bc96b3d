import { Type, type TProperties, type TSchemaOptions, type TStringOptions } from 'typebox'

/*
 * The kinds of values of the configuration. `format` names a check of `formats.ts`, which also says what
 * was expected; `writeOnly` marks a secret, which no message repeats.
 */

/** An object in which an unknown key is a mistake. */
export function closed<Properties extends TProperties>(description: string, properties: Properties) {
  return Type.Object(properties, { additionalProperties: false, description })
}

export function wholeNumber(minimum: number, maximum: number, options: TSchemaOptions) {
  return Type.Integer({ minimum, maximum, ...options })
}

export function secondsUpTo(maximum: number, options: TSchemaOptions) {
  return Type.Number({ exclusiveMinimum: 0, maximum, ...options })
}

export function secret(options: TStringOptions) {
  return Type.String({ minLength: 1, writeOnly: true, ...options })
}

/** An amount of money: a decimal string, though a plain number is read as it is written. */
export function usd(options: TStringOptions) {
  return Type.String({ format: 'usd', ...options })
}

export function url(
  schemes: readonly ('http' | 'https' | 'postgres' | 'postgresql' | 'redis' | 'rediss')[],
  options: TStringOptions,
) {
  const format = schemes.includes('http')
    ? 'http-url'
    : schemes.includes('redis')
      ? 'redis-url'
      : 'postgres-url'
  return Type.String({ format, ...options })
}

export const identifierPattern = '^[a-z0-9][a-z0-9._-]{0,63}$'
export const modelPattern = '^[a-z0-9][a-z0-9._-]{0,63}(/[^\\s/][^\\s]{0,190})?$'

/** No header that a call itself is made of. */
export const headerPattern =
  '^(?!(?:[Hh]ost|[Cc]onnection|[Cc]ontent-[Ll]ength|[Tt]ransfer-[Ee]ncoding)$)' +
  '[A-Za-z0-9!#$%&*+.^_|~-]{1,100}$'

/** A key that names a header. */
export const headerName = Type.String({ pattern: headerPattern })
/** A key that names a provider or a tier. */
export const identifier = Type.String({ pattern: identifierPattern })
/** A key that names a model, or an alias, which may do without a provider. */
export const modelIdentifier = Type.String({ pattern: modelPattern })
/** A key that names a vendor's service tier. */
export const serviceTier = Type.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$' })

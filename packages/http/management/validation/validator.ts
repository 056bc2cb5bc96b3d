import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { expectation, type FieldSchema } from './expectation.ts'
import { unstorableText } from './storable-text.ts'
import { notFound } from '../not-found.ts'

/** A caller's own field name may be of any length; errors show only its beginning. */
const shownNameLength = 64

interface SchemaError {
  keyword: string
  instancePath: string
  params: object
}

/** Validates one part of a request against its schema; a mismatch is a 400 that names the field. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = Compile(schema)
  return (received: unknown) => {
    const value = httpPart === 'querystring' ? fromQuery(received, schema) : received
    if (!compiled.Check(value)) return { error: refusal(httpPart, schema, compiled.Errors(value)) }
    const unstorable = unstorableText(value, '')
    if (unstorable === undefined) return { value }
    if (httpPart === 'params') return { error: nothingThere() }
    return {
      error: invalidRequest(
        unstorable,
        `\`${unstorable}\` contains a NUL character or an unpaired surrogate.`,
      ),
    }
  }
}

/** A query contains only texts: a list may come as one text, a number as digits. */
function fromQuery(received: unknown, schema: FieldSchema): Record<string, unknown> {
  const query: Record<string, unknown> = { ...(received as Record<string, unknown>) }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = query[name]
    if (typeof value !== 'string') continue
    if (field.type === 'array') query[name] = [value]
    if (field.type === 'integer' && /^-?\d{1,15}$/.test(value)) query[name] = Number(value)
    if (field.type === 'boolean' && (value === 'true' || value === 'false')) query[name] = value === 'true'
  }
  return query
}

function refusal(httpPart: string | undefined, schema: FieldSchema, errors: SchemaError[]): GatewayError {
  // A value that cannot be one of our identifiers matches nothing.
  if (httpPart === 'params') return nothingThere()
  const names = Object.keys(schema.properties ?? {})
  const unknown = firstNameIn(errors, 'additionalProperties')
  if (unknown !== undefined) {
    const name = shorten(unknown)
    const known =
      names.length === 0 ? 'there are none' : `known are ${names.map((one) => `\`${one}\``).join(', ')}`
    return invalidRequest(
      name,
      `Unknown ${httpPart === 'body' ? 'field' : 'parameter'} \`${name}\`; ${known}.`,
    )
  }
  const missing = firstNameIn(errors, 'required')
  if (missing !== undefined) {
    return invalidRequest(missing, `\`${missing}\` is missing: expected ${expectationAt(schema, [missing])}.`)
  }
  const steps = (errors[0]?.instancePath ?? '').split('/').slice(1)
  if (steps.length === 0) return invalidRequest(undefined, 'The body must be a JSON object.')
  const path = steps
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('')
  return invalidRequest(path, `\`${path}\`: expected ${expectationAt(schema, steps)}.`)
}

/** The first name that a validation error is about. */
function firstNameIn(
  errors: SchemaError[],
  keyword: 'additionalProperties' | 'required',
): string | undefined {
  const error = errors.find((one) => one.keyword === keyword)
  if (error === undefined) return undefined
  const params = error.params as { additionalProperties?: string[]; requiredProperties?: string[] }
  return (params.additionalProperties ?? params.requiredProperties)?.[0]
}

function expectationAt(schema: FieldSchema, steps: string[]): string {
  let field = schema
  for (const step of steps) {
    const list = field.anyOf?.find((one) => one.type === 'array') ?? field
    const inner = list.items ?? field.properties?.[step]
    if (inner === undefined) break
    field = inner
  }
  return expectation(field)
}

function shorten(name: string): string {
  const text = name.toWellFormed().replaceAll('\0', '\uFFFD')
  return text.length > shownNameLength ? `${text.slice(0, shownNameLength).toWellFormed()}…` : text
}

function nothingThere(): GatewayError {
  return notFound('Resource')
}

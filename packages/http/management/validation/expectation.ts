/** The keywords of JSON Schema that this API's schemas use. */
export interface FieldSchema {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly FieldSchema[]
  items?: FieldSchema
  properties?: Record<string, FieldSchema>
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  /** Replaces the text that is derived from the other keywords. */
  'x-expected'?: string
}

/** Describes a value of this schema for people who do not know JSON Schema. */
export function expectation(schema: FieldSchema): string {
  if (schema['x-expected'] !== undefined) return schema['x-expected']
  if (schema.anyOf !== undefined) return alternatives(schema.anyOf)
  if (schema.enum !== undefined) return choices(schema.enum)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  switch (schema.type) {
    case 'integer':
      return `a whole number${range(schema.minimum, schema.maximum)}`
    case 'number':
      return `a number${range(schema.minimum, schema.maximum)}`
    case 'string':
      return `a text${describeCount(schema.minLength, schema.maxLength, 'character')}`
    case 'array':
      return `a list${describeCount(schema.minItems, schema.maxItems, 'entry', 'entries')}`
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    default:
      return 'a JSON object'
  }
}

function alternatives(schemas: readonly FieldSchema[]): string {
  if (schemas.every((schema) => schema.const !== undefined))
    return choices(schemas.map(({ const: value }) => value))
  return schemas.map(expectation).join(' or ')
}

function choices(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value))
  return texts.length === 1 ? texts[0]! : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined) return maximum === undefined ? '' : ` of at most ${maximum}`
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`
}

function describeCount(
  minimum: number | undefined,
  maximum: number | undefined,
  one: string,
  many: string = `${one}s`,
): string {
  if (maximum === undefined)
    return minimum === undefined ? '' : ` of at least ${minimum} ${minimum === 1 ? one : many}`
  if (minimum === maximum) return ` of ${maximum} ${maximum === 1 ? one : many}`
  return minimum === undefined ? ` of at most ${maximum} ${many}` : ` of ${minimum} to ${maximum} ${many}`
}

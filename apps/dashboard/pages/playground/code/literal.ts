import type { Json } from './bodies/body.ts'

/** A name or a call that appears unchanged in the code: never made from user input. */
export class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value that code can contain. */
export type Value = Json | Code | Value[] | { [name: string]: Value | undefined }

/* Values in the syntax of Python and JavaScript, on one line if they are short. */

const mostCharacters = 60
const indentation = { python: 4, typescript: 2 } as const
type Language = keyof typeof indentation

/** @param depth the indentation level of the line that the value begins on */
export function literal(value: Value, language: Language, depth = 0): string {
  const flat = onOneLine(value, language)
  if (flat.length <= mostCharacters || !isNested(value)) return flat
  const inner = ' '.repeat(indentation[language] * (depth + 1))
  const outer = ' '.repeat(indentation[language] * depth)
  const lines = membersOf(value).map(([name, member]) => {
    const text = literal(member, language, depth + 1)
    return `${inner}${name === undefined ? '' : `${key(name, language)}: `}${text},\n`
  })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join('')}${outer}${close}`
}

function onOneLine(value: Value, language: Language): string {
  if (typeof value === 'string') return string(value, language)
  if (value instanceof Code) return value.text
  if (!isNested(value)) return language === 'python' ? pythonWord(value) : String(value)
  const members = membersOf(value).map(([name, member]) => {
    const text = onOneLine(member, language)
    return name === undefined ? text : `${key(name, language)}: ${text}`
  })
  if (Array.isArray(value)) return `[${members.join(', ')}]`
  return language === 'python' ? `{${members.join(', ')}}` : `{ ${members.join(', ')} }`
}

type Nested = Value[] | { [name: string]: Value | undefined }

function isNested(value: Value): value is Nested {
  return typeof value === 'object' && value !== null && !(value instanceof Code)
}

function membersOf(value: Nested): [string | undefined, Value][] {
  if (Array.isArray(value)) return value.map((member) => [undefined, member])
  return Object.entries(value).filter((entry): entry is [string, Value] => entry[1] !== undefined)
}

function key(name: string, language: Language): string {
  return language === 'typescript' && /^[A-Za-z_]\w*$/.test(name) ? name : string(name, language)
}

/** A JSON string is valid Python, too; JavaScript usually has single quotes. */
function string(text: string, language: Language): string {
  const json = JSON.stringify(text)
  if (language === 'python') return json
  return `'${json
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`)}'`
}

function pythonWord(value: number | boolean | null): string {
  if (value === null) return 'None'
  return typeof value === 'number' ? String(value) : value ? 'True' : 'False'
}

import { isWellFormedBase64, unusable, type Vector } from '../embeddings/answer.ts'
import { NoJson, walkList, walkObject, type Span } from '../json/cursor.ts'

/** `{"object": "list", "data": [{"index", "embedding"}], "model", "usage"}`, as it stands in its bytes. */
export interface EmbeddingList {
  /** The outermost members' values, by their names. */
  members: ReadonlyMap<string, Span>
  /** One past the outermost object's last byte. */
  end: number
  /** In the order in which they stand; undefined where there is no list of them. */
  entries: readonly Entry[] | undefined
}

export interface Entry {
  /** The place of its input; undefined where the vendor does not say. */
  index: number | undefined
  vector: Vector
}

const quote = 0x22
const openBracket = 0x5b

/**
 * Finds the vectors of an answer without reading any number of them.
 * @throws {GatewayError} 502 where it is no answer of this kind
 */
export function readList(json: Buffer): EmbeddingList {
  try {
    const members = new Map<string, Span>()
    const end = walkObject(json, firstByte(json), (name, value) => members.set(name, value))
    const data = members.get('data')
    if (data === undefined || json[data.start] !== openBracket) return { members, end, entries: undefined }
    const entries: Entry[] = []
    walkList(json, data.start, (value) => entries.push(readEntry(json, value)))
    return { members, end, entries }
  } catch (error) {
    if (error instanceof NoJson) throw unusable('it is no list of embeddings')
    throw error
  }
}

function firstByte(json: Buffer): number {
  const start = json.indexOf('{')
  if (start === -1) throw new NoJson()
  return start
}

function readEntry(json: Buffer, { start }: Span): Entry {
  let index: number | undefined
  let embedding: Span | undefined
  walkObject(json, start, (name, value) => {
    if (name === 'index') index = wholeNumber(json.toString('latin1', value.start, value.end))
    else if (name === 'embedding') embedding = value
  })
  if (embedding === undefined) throw unusable('an entry without a vector')
  return { index, vector: vectorAt(json, embedding) }
}

function vectorAt(json: Buffer, { start, end }: Span): Vector {
  if (json[start] === openBracket) return { encoding: 'float', text: json.subarray(start, end) }
  if (json[start] !== quote) throw unusable('a vector that is neither a list nor base64')
  const text = json.subarray(start + 1, end - 1)
  const vector: Vector = { encoding: 'base64', text: withoutEscapes(text) }
  if (!isWellFormedBase64(vector.text)) throw unusable('a vector that is no base64 of 32-bit floats')
  return vector
}

/** Some writers of JSON escape each slash. */
function withoutEscapes(text: Buffer): Buffer {
  if (!text.includes('\\')) return text
  return Buffer.from(text.toString('latin1').replaceAll('\\/', '/'), 'latin1')
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

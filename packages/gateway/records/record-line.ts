import { boundedJson, decimalOf, fromPayload, picoOf, type RecordPayload } from './record-payload.ts'
import type { RequestRecord } from './request-record.ts'
import type { RefusedRecord } from './stores.ts'

/** The first value of a line. A list with other fields, or in another order, needs another number. */
const lineFormat = 1

/**
 * A record as the outbox keeps it: a JSON list, which takes two thirds of the time and space of an object
 * with names. `id` and `chargePico` come first, so that they can be found even in a line that is not JSON.
 */
type RecordLine = [
  format: number,
  id: string,
  chargePico: string,
  accountId: string,
  keyId: string,
  startedAtMs: number,
  endpoint: RequestRecord['endpoint'],
  stream: boolean,
  modelAsked: string | null,
  modelServed: string | null,
  modelTried: string | null,
  provider: string | null,
  tier: string | null,
  route: RequestRecord['route'],
  baselinePico: string | null,
  tags: string[],
  outcome: RequestRecord['outcome'],
  status: number,
  errorType: RequestRecord['errorType'],
  errorParam: string | null,
  attempts: RequestRecord['attempts'],
  dropped: readonly string[],
  usage: RequestRecord['usage'],
  tokensIn: number,
  tokensOut: number,
  priceVersion: string | null,
  pricing: RequestRecord['pricing'],
  markup: string,
  holdPico: string,
  budgetLeases: string | null,
  vendorCostPico: string | null,
  isByok: true | null,
  ownCostPico: string | null,
  durationMs: number,
  firstTokenMs: number | null,
]

/** See `boundedJson` for what may be dropped. */
export function recordToLine(record: RequestRecord): string {
  return boundedJson(record, toLine)
}

function toLine(record: RequestRecord): RecordLine {
  return [
    lineFormat,
    record.id,
    String(record.chargePico),
    record.accountId,
    record.keyId,
    record.startedAtMs,
    record.endpoint,
    record.stream,
    record.modelAsked,
    record.modelServed,
    record.modelTried ?? null,
    record.provider,
    record.tier,
    record.route,
    decimalOf(record.baselinePico),
    record.tags,
    record.outcome,
    record.status,
    record.errorType,
    record.errorParam ?? null,
    record.attempts,
    record.dropped,
    record.usage,
    record.tokensIn,
    record.tokensOut,
    record.priceVersion,
    record.pricing,
    record.markup,
    String(record.holdPico),
    record.budgetLeases ?? null,
    decimalOf(record.vendorCostPico),
    record.isByok ?? null,
    decimalOf(record.ownCostPico),
    record.durationMs,
    record.firstTokenMs,
  ]
}

/** @throws {Error} if it has another format */
function fromLine(line: RecordLine): RequestRecord {
  if (line[0] !== lineFormat)
    throw new Error(`format ${line[0]} is unknown; this version writes ${lineFormat}`)
  const isByok = line[31] ?? undefined
  return {
    id: line[1],
    chargePico: BigInt(line[2]),
    accountId: line[3],
    keyId: line[4],
    startedAtMs: line[5],
    endpoint: line[6],
    stream: line[7],
    modelAsked: line[8],
    modelServed: line[9],
    modelTried: line[10] ?? undefined,
    provider: line[11],
    tier: line[12],
    route: line[13],
    baselinePico: picoOf(line[14]),
    tags: line[15],
    outcome: line[16],
    status: line[17],
    errorType: line[18],
    errorParam: line[19] ?? undefined,
    attempts: line[20],
    dropped: line[21],
    usage: line[22],
    tokensIn: line[23],
    tokensOut: line[24],
    priceVersion: line[25],
    pricing: line[26],
    markup: line[27],
    holdPico: BigInt(line[28]),
    budgetLeases: line[29] ?? undefined,
    vendorCostPico: picoOf(line[30]),
    isByok,
    ownCostPico: isByok && picoOf(line[32]),
    durationMs: line[33],
    firstTokenMs: line[34],
  }
}

/** Parses the rows of an outbox, one per line, and separates lines that are not records. */
export function recordsFromLines(lines: Uint8Array): {
  records: RequestRecord[]
  unreadable: RefusedRecord[]
} {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('utf8').trimEnd()
  try {
    const all = JSON.parse(`[${text.replaceAll('\n', ',')}]`) as (RecordLine | RecordPayload)[]
    return { records: all.map(fromEither), unreadable: [] }
  } catch {
    return oneByOne(text.split('\n'))
  }
}

function oneByOne(lines: readonly string[]): ReturnType<typeof recordsFromLines> {
  const records: RequestRecord[] = []
  const unreadable: RefusedRecord[] = []
  for (const payload of lines) {
    try {
      records.push(fromEither(JSON.parse(payload) as RecordLine | RecordPayload))
    } catch (error) {
      unreadable.push({ payload, requestId: null, message: `it is no record: ${String(error)}` })
    }
  }
  return { records, unreadable }
}

/** Rows of earlier versions, and rows that were refused before, have names. */
function fromEither(row: RecordLine | RecordPayload): RequestRecord {
  return Array.isArray(row) ? fromLine(row) : fromPayload(row)
}

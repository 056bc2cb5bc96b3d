import type { Pricing } from '@turnpike/protocol'
import { boundedJson, decimalOf, fromPayload, picoOf, type RecordPayload } from './record-payload.ts'
import type { RequestRecord } from './request-record.ts'
import type { RefusedRecord } from './stores.ts'

/**
 * A record as read from a line. The database stores these parts as JSON, so they need not be parsed: that
 * takes as long as all the rest.
 */
export interface LineRecord extends Omit<RequestRecord, 'usage' | 'pricing'> {
  usageJson: string | null
  pricingJson: string | null
}

/** The first value of a line. A list with other fields, or in another order, needs another number. */
const lineFormat = 2
/** Of earlier versions: the usage and the pricing are part of the list, and nothing follows it. */
const wholeListFormat = 1

/** JSON contains no tab: in a text, it is escaped. */
const separator = '\t'

/**
 * A record as the outbox keeps it: a JSON list, which takes two thirds of the time and space of an object
 * with names, then its usage and its pricing, separated by tabs. `id` and `chargePico` come first, so that
 * they can be found even in a line that is not JSON.
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
  /** In format 1 only, as is `pricing`. */
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

function toLine(record: RequestRecord): string {
  const { usage, pricing } = record
  return (
    JSON.stringify(toList(record)) +
    separator +
    JSON.stringify(usage ?? null) +
    separator +
    pricingToJson(pricing)
  )
}

/** Many requests share a price. */
const pricingTexts = new WeakMap<Pricing, string>()

function pricingToJson(pricing: Pricing | null): string {
  if (pricing === null) return 'null'
  let text = pricingTexts.get(pricing)
  if (text === undefined) {
    text = JSON.stringify(pricing)
    pricingTexts.set(pricing, text)
  }
  return text
}

function toList(record: RequestRecord): RecordLine {
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
    null,
    record.tokensIn,
    record.tokensOut,
    record.priceVersion,
    null,
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
function fromList(
  list: RecordLine,
  format: number,
  usageJson: string | null,
  pricingJson: string | null,
): LineRecord {
  if (list[0] !== format) throw new Error(`format ${list[0]} is unknown; this version writes ${lineFormat}`)
  const isByok = list[31] ?? undefined
  return {
    id: list[1],
    chargePico: BigInt(list[2]),
    accountId: list[3],
    keyId: list[4],
    startedAtMs: list[5],
    endpoint: list[6],
    stream: list[7],
    modelAsked: list[8],
    modelServed: list[9],
    modelTried: list[10] ?? undefined,
    provider: list[11],
    tier: list[12],
    route: list[13],
    baselinePico: picoOf(list[14]),
    tags: list[15],
    outcome: list[16],
    status: list[17],
    errorType: list[18],
    errorParam: list[19] ?? undefined,
    attempts: list[20],
    dropped: list[21],
    usageJson,
    tokensIn: list[23],
    tokensOut: list[24],
    priceVersion: list[25],
    pricingJson,
    markup: list[27],
    holdPico: BigInt(list[28]),
    budgetLeases: list[29] ?? undefined,
    vendorCostPico: picoOf(list[30]),
    isByok,
    ownCostPico: isByok && picoOf(list[32]),
    durationMs: list[33],
    firstTokenMs: list[34],
  }
}

/** Parses the rows of an outbox, one per line, and separates lines that are not records. */
export function recordsFromLines(lines: Uint8Array): { records: LineRecord[]; unreadable: RefusedRecord[] } {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('utf8')
  const records: LineRecord[] = []
  const unreadable: RefusedRecord[] = []
  for (const line of text.trimEnd().split('\n')) {
    try {
      records.push(fromLine(line))
    } catch (error) {
      unreadable.push({ payload: line, requestId: null, message: `it is no record: ${String(error)}` })
    }
  }
  return { records, unreadable }
}

/** @throws {Error} if it is not a record */
function fromLine(line: string): LineRecord {
  const parts = line.split(separator)
  const parsed = JSON.parse(parts[0]!) as RecordLine | RecordPayload
  if (parts.length === 1)
    return Array.isArray(parsed) ? fromWholeList(parsed) : toLineRecord(fromPayload(parsed))
  const [, usageJson, pricingJson] = parts
  if (usageJson === undefined || pricingJson === undefined || parts.length > 3)
    throw new Error(`it has ${parts.length} parts`)
  return fromList(parsed as RecordLine, lineFormat, textOrNull(usageJson), textOrNull(pricingJson))
}

function textOrNull(json: string): string | null {
  return json === 'null' ? null : json
}

function fromWholeList(list: RecordLine): LineRecord {
  return fromList(list, wholeListFormat, jsonOrNull(list[22]), jsonOrNull(list[26]))
}

/** Rows of early versions, and rows that were refused before, have names. */
function toLineRecord({ usage, pricing, ...rest }: RequestRecord): LineRecord {
  return { ...rest, usageJson: jsonOrNull(usage), pricingJson: jsonOrNull(pricing) }
}

function jsonOrNull(value: object | null): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

/** @throws {SyntaxError} if the usage or the pricing is not JSON */
export function lineRecordToRecord({ usageJson, pricingJson, ...rest }: LineRecord): RequestRecord {
  return {
    ...rest,
    usage: usageJson === null ? null : (JSON.parse(usageJson) as RequestRecord['usage']),
    pricing: pricingJson === null ? null : (JSON.parse(pricingJson) as Pricing),
  }
}

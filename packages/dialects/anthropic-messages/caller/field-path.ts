import { dottedPath } from '../../json/explain.ts'
import { outputBoundFields } from '../../requests/output-bounds.ts'
import { isBillingBlock, isBillingLine } from '../billing-line.ts'

/** A neutral path such as `messages[4].content[0].image_url.url`, split into names and indexes. */
type Segments = readonly string[]

/** An index, as this format writes it. */
const ownPlace = /\.\d+(?:\.|$)/

interface Block {
  type?: unknown
  content?: unknown
}

interface Body {
  system?: unknown
  messages?: { role?: unknown; content?: unknown }[]
  output_config?: { effort?: unknown; format?: unknown } | null
}

/** Where a neutral message is in the caller's body. */
interface Place {
  /** The path of what contains it: `system`, `messages.2` or, for a tool's result, `messages.2.content.0`. */
  path: Segments
  /** The path of its content. */
  content: Segments
  /** Undefined if the content is a single text. */
  blocks: { block: Block; at: number }[] | undefined
}

/** Neutral field names and their names in this format. Other fields have the same name in both. */
const names: Record<string, Segments> = {
  stop: ['stop_sequences'],
  user: ['metadata', 'user_id'],
  parallel_tool_calls: ['tool_choice', 'disable_parallel_tool_use'],
}

const reasoningNames: Record<string, string> = { max_tokens: 'budget_tokens', exclude: 'display' }

const toolNames: Record<string, string> = { parameters: 'input_schema' }

/**
 * Converts the path in an error to the caller's path. The body is walked only here, so that a successful
 * request costs nothing.
 * @param param such as `messages[4].content[0].image_url.url` or `reasoning_effort`; a path that is already
 * in this format stays unchanged
 * @param body the caller's, parsed
 */
export function fieldPath(param: string, body: object): string {
  const [head, ...rest] = segmentsOf(param)
  if (head === undefined || ownPlace.test(param)) return param
  return dottedPath(translatePath(head, rest, body))
}

/**
 * Rewrites a path into the caller's own body, for an error found before the body was parsed, such as a
 * repeated member: `messages[0].content` becomes `messages.0.content`.
 */
export function toDottedPath(param: string): string {
  return dottedPath(segmentsOf(param))
}

function segmentsOf(param: string): string[] {
  return param.split(/[.[\]]+/).filter((segment) => segment !== '')
}

function translatePath(head: string, rest: Segments, body: Body): Segments {
  if (outputBoundFields.has(head)) return ['max_tokens']
  switch (head) {
    case 'messages':
      return rest.length === 0 ? [head] : messagePath(rest, body)
    case 'tools':
      return toolPath(rest)
    case 'tool_choice':
      return [head, ...rest.filter((name) => name !== 'function')]
    case 'reasoning_effort':
      return effortPath(body)
    case 'reasoning':
      return rest[0] === undefined || rest[0] === 'effort'
        ? effortPath(body)
        : ['thinking', reasoningNames[rest[0]] ?? rest[0]]
    case 'response_format':
      return [...formatPath(body), ...rest.filter((name) => name !== 'json_schema')]
    default:
      return [...(names[head] ?? [head]), ...rest]
  }
}

function effortPath({ output_config: config }: Body): Segments {
  return (config?.effort ?? undefined) === undefined ? ['thinking'] : ['output_config', 'effort']
}

function formatPath({ output_config: config }: Body): Segments {
  return (config?.format ?? undefined) === undefined ? ['output_format'] : ['output_config', 'format']
}

function toolPath(rest: Segments): Segments {
  const [index, ...member] = rest
  if (index === undefined) return ['tools']
  const [name, ...below] = member[0] === 'function' ? member.slice(1) : member
  return ['tools', index, ...(name === undefined ? [] : [toolNames[name] ?? name, ...below])]
}

function messagePath([index, ...rest]: Segments, body: Body): Segments {
  const place = findPlaces(body)[Number(index)]
  if (place === undefined) return ['messages']
  const [member, ...below] = rest
  switch (member) {
    case 'content':
      return contentPath(place, below)
    case 'tool_calls':
      return callPath(place, below)
    case 'tool_call_id':
      return [...place.path, 'tool_use_id']
    case 'is_error':
      return [...place.path, member]
    case 'reasoning_content':
    case 'reasoning_details':
    case 'reasoning':
      return nth(place, isThinking, 0) ?? place.path
    case 'role':
      return place.path.at(-2) === 'messages' ? [...place.path, member] : place.path
    default:
      return place.path
  }
}

function contentPath(place: Place, [position, ...rest]: Segments): Segments {
  if (position === undefined || place.blocks === undefined) return place.content
  const found = place.blocks.filter(({ block }) => !isThinking(block) && !isCall(block))[Number(position)]
  if (found === undefined) return place.content
  return [...place.content, String(found.at), ...blockMember(rest)]
}

/** The path within a block, from its name in chat completions. */
function blockMember([kind, member]: Segments): Segments {
  switch (kind) {
    case 'text':
    case 'cache_control':
    case 'citations':
    case 'context':
      return [kind]
    case 'image_url':
      if (member === 'file_id') return ['source', member]
      return member === 'url' ? ['source'] : []
    case 'file':
      if (member === 'file_id') return ['source', member]
      if (member === 'filename') return ['title']
      return member === undefined ? [] : ['source']
    default:
      return []
  }
}

function callPath(place: Place, [position, ...rest]: Segments): Segments {
  const path = nth(place, isCall, Number(position ?? 0)) ?? place.path
  const [name] = rest[0] === 'function' ? rest.slice(1) : rest
  if (name === 'arguments') return [...path, 'input']
  return name === 'id' || name === 'name' || name === 'cache_control' ? [...path, name] : path
}

function nth({ content, blocks }: Place, is: (block: Block) => boolean, which: number): Segments | undefined {
  const found = (blocks ?? []).filter(({ block }) => is(block))[which]
  return found === undefined ? undefined : [...content, String(found.at)]
}

function isThinking({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

function isCall({ type }: Block): boolean {
  return type === 'tool_use'
}

/** Cached, since one request's errors may name many paths into the same body. */
const known = new WeakMap<object, Place[]>()

function findPlaces(body: Body): Place[] {
  const before = known.get(body)
  if (before !== undefined) return before
  const places = placesOf(body)
  known.set(body, places)
  return places
}

/** The messages in the order in which `parseRequest` creates them. */
function placesOf({ system, messages = [] }: Body): Place[] {
  const places: Place[] = []
  if (tellsSomething(system)) {
    const blocks = blocksOf(system)?.filter(({ block }) => !isBillingBlock(block))
    places.push({ path: ['system'], content: ['system'], blocks })
  }
  for (const [index, { role, content }] of messages.entries()) {
    const path = ['messages', String(index)]
    const within = [...path, 'content']
    const blocks = blocksOf(content)
    const results = role === 'user' ? (blocks ?? []).filter(({ block }) => isResult(block)) : []
    for (const { block, at } of results) {
      const result = [...within, String(at)]
      const held = block.content === undefined ? result : [...result, 'content']
      places.push({ path: result, content: held, blocks: blocksOf(block.content) })
    }
    const others = results.length === 0 ? blocks : blocks?.filter(({ block }) => !isResult(block))
    if (results.length === 0 || others?.length !== 0) places.push({ path, content: within, blocks: others })
  }
  return places
}

function isResult({ type }: Block): boolean {
  return type === 'tool_result'
}

function tellsSomething(system: unknown): boolean {
  if (typeof system === 'string') return system !== '' && !isBillingLine(system)
  return Array.isArray(system) && system.some((block: object) => !isBillingBlock(block))
}

function blocksOf(content: unknown): { block: Block; at: number }[] | undefined {
  if (!Array.isArray(content)) return undefined
  return content.map((block: Block, at) => ({ block, at }))
}

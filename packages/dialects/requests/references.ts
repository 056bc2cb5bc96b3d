import type { PathStyle } from '../json/explain.ts'

/*
 * Finds what a request refers to without containing it. A vendor would read it with the operator's
 * credential, or from its servers' network. Callers store nothing there themselves, so any such reference is
 * to somebody else's data.
 */

/** Something that a vendor has, or can fetch, by its name. */
export interface Reference {
  /** Path of the caller's field. */
  param: string
  value: string
}

export interface ReferencedValue {
  /** Files, caches, earlier answers, search indexes, …: in the operator's account or the vendor's network. */
  references: readonly Reference[]
  /** Web addresses. */
  addresses: readonly Reference[]
}

/** The value for nearly all requests. */
export const nothingReferred: ReferencedValue = { references: [], addresses: [] }

/** With more references than this, the last one gets an empty value, which no rule can allow. */
const mostFound = 1_000
/** How many characters of a value are searched: no address is longer. */
const mostCharacters = 4_096

/** Names, in lower case without separators, whose values identify things kept at a vendor. */
const kept =
  'file|image|video|audio|media|attachment|document|asset|upload|artifact|container|conversation|response|' +
  'prompt|template|vectorstore|store|assistant|thread|run|batch|agent|knowledge|knowledgebase|library|' +
  'collection|dataset|datasource|index|corpus|connector|connection|skill|memory|adapter|lora|guardrail|' +
  'preset|cache|cachedcontent|interaction|context|voice|project|organization|workspace|engine|bucket|secret'
const identifierNames = new RegExp(`(?:${kept})(?:ids?|uris?|identifiers?)$`)
const listedNames = /(?:store|corpus|index|collection|bucket|datastore|cachedcontent|container)names?$/
/** `thing_id`, `thing-ids`, `thingId`: identifiers of any vendor's things. */
const anyIdentifier = /[_.-](?:[iI][dD])[sS]?$|[a-z0-9](?:Id|ID|Ids|IDs)$/
const harmlessIdentifiers = new RegExp(
  '^(?:toolcall|tooluse|call|item|message|parent|user|enduser|customer|client|device|chat|session|request|' +
    'clientrequest|trace|span|generation|correlation)ids?$|tokenids?$',
)
/** Things that are named by a string, or by an object with an `id`. */
const keptThings = new Set([
  'cachedcontent',
  'cachedcontents',
  'fileuri',
  'fileuris',
  'gcsuri',
  's3uri',
  'bucket',
  'container',
  'conversation',
  'assistant',
  'thread',
  'preset',
  'ragcorpus',
  'ragcorpora',
  'corpora',
])
/** Where to search: an object that may name the place in any way. */
const searched = new Set([
  'datasource',
  'datasources',
  'datastore',
  'datastores',
  'vectorstores',
  'vertexragstore',
  'vertexaisearch',
  'ragresources',
  'gcssource',
  's3location',
])
/** Checked if they are an object with an `id`, such as an earlier answer's `audio`. */
const keptById = new Set(['audio', 'prompt', 'file', 'image', 'video', 'response', 'agent', 'voice', 'skill'])

/** Text for the model, and other values that name nothing: most of any request. */
const prose = new Set(
  (
    'role type text content arguments refusal reasoning reasoning_content thinking name description ' +
    'signature detail summary filename title user model effort stop'
  ).split(' '),
)
/** `gs://…`, `s3://…`, `file:/…`: schemes other than the web's. */
const scheme = /^[\s\p{Cc}]*([a-z][a-z0-9+.-]{0,30}):(.{0,2})/isu
const resourceName = new RegExp(
  String.raw`^[\s/]*(?:files|cachedContents|tunedModels|corpora|fileSearchStores|vectorStores|` +
    String.raw`projects/[^/\s]+/locations)/\S`,
  'i',
)
/** Matches what is not base64. Some servers accept a path in place of an address and open the file. */
const pathLike = /[^A-Za-z0-9+/=\s_-]|^[\s]*\/\//
const googleFiles = new RegExp(
  String.raw`^[\s\p{Cc}]*https?:[/\\]*(?:[^/\\?#]*@)?[^/\\?#:]*(?:generativelanguage|aiplatform)`,
  'iu',
)

/** What is not searched in a format's body, and how its paths are written. */
export interface SearchedFormat {
  path: PathStyle
  /** The list of messages, each with a role. */
  turns: 'messages' | 'input'
  /** Instructions beside the conversation. */
  system?: 'system' | 'instructions'
  /**
   * Whether a member contains no references: schemas describe fields but have none, and what a caller keeps
   * for itself belongs to nobody else.
   * @param trail names and list indexes that lead to the object with the member
   */
  isOwn(name: string, trail: Trail): boolean
  /** Texts for the model, and what it received earlier, besides those that are such in every format. */
  isProse(name: string, holder: object, trail: Trail): boolean
}

export type Trail = readonly (string | number)[]

/** @param body a request that passed the format's schema */
export function referencesIn(body: object, format: SearchedFormat): ReferencedValue {
  const search = new Search(format)
  search.object(body)
  search.instructions(body)
  const { references, addresses } = search
  return references.length + addresses.length === 0 ? nothingReferred : { references, addresses }
}

/**
 * Alibaba's models read files in place of such a text, but only in instructions
 * (https://www.alibabacloud.com/help/en/model-studio/long-context-qwen-long).
 */
const fileInText = /fileid:\/\/[^\s,;]*/gi

/** What a member's name says about its value. */
interface NameKind {
  prose: boolean
  /** The value names something that is kept elsewhere. */
  kept: boolean
  keptById: boolean
  searched: boolean
  /** The value says where to read something. */
  address: boolean
}

class Search {
  readonly references: Reference[] = []
  readonly addresses: Reference[] = []
  /** Names and list indexes. */
  readonly #trail: (string | number)[] = []
  readonly #format: SearchedFormat

  constructor(format: SearchedFormat) {
    this.#format = format
  }

  object(holder: object): void {
    for (const name in holder) {
      const value: unknown = (holder as Record<string, unknown>)[name]
      if (typeof value === 'string') {
        if (!prose.has(name) && !this.#format.isProse(name, holder, this.#trail)) this.#text(name, value)
      } else if (typeof value === 'object') {
        if (value !== null && !this.#format.isOwn(name, this.#trail)) this.#visitNested(name, value)
      } else if (typeof value === 'number' && kindOf(name).kept) this.#addReference(name, String(value))
    }
  }

  /** Searches instructions only: other text for the model refers to nothing. */
  instructions(body: object): void {
    const { turns, system } = this.#format
    if (system !== undefined) this.#filesOf(system, (body as Record<string, unknown>)[system])
    const messages = (body as Record<string, unknown>)[turns]
    if (!Array.isArray(messages)) return
    for (let at = 0; at < messages.length; at++) {
      const { role, content } = messages[at] as { role?: unknown; content?: unknown }
      if (role !== 'system' && role !== 'developer') continue
      this.#trail.push(turns, at)
      this.#filesOf('content', content)
      this.#trail.length = 0
    }
  }

  #filesOf(name: string, content: unknown): void {
    if (typeof content === 'string') return this.#files(name, content)
    if (!Array.isArray(content)) return
    this.#trail.push(name)
    this.#filesOfParts(content)
    this.#trail.pop()
  }

  #filesOfParts(parts: readonly unknown[]): void {
    for (let at = 0; at < parts.length; at++) {
      const { text } = parts[at] as { text?: unknown }
      if (typeof text === 'string') this.#files(at, text)
    }
  }

  #files(name: string | number, text: string): void {
    // Searching for a string is much faster than matching a pattern, and most instructions have no address.
    if (!text.includes('://')) return
    for (const [file] of text.matchAll(fileInText)) this.#addReference(name, file)
  }

  #text(name: string, value: string): void {
    if (value === '') return
    const kind = kindOf(name)
    if (kind.kept) this.#addReference(name, value)
    else this.#judgeText(name, value, kind.address)
  }

  #judgeText(name: string | number, value: string, isAddress: boolean): void {
    const [, found, slashes] = scheme.exec(value) ?? []
    const kind = found?.toLowerCase()
    if (kind === 'http' || kind === 'https') {
      if (googleFiles.test(value)) this.#addReference(name, value)
      else this.#addReference(name, value, this.addresses)
    } else if (kind === undefined ? resourceName.test(value) : kind === 'file' || slashes === '//')
      this.#addReference(name, value)
    else if (isAddress && kind !== 'data' && pathLike.test(value.slice(0, mostCharacters)))
      this.#addReference(name, value)
  }

  #visitNested(name: string, value: object): void {
    const kind = kindOf(name)
    if (Array.isArray(value)) return this.#list(name, kind, value)
    const id = kind.kept || kind.keptById ? identifierOf(value) : undefined
    if (id !== undefined) this.#addReference(name, id)
    else if (kind.searched && !isEmpty(value)) return this.#addReference(name, name)
    this.#trail.push(name)
    this.object(value)
    this.#trail.pop()
  }

  /** @param kind of the list's own name, which says what its elements are */
  #list(name: string | number, kind: NameKind, list: readonly unknown[]): void {
    this.#trail.push(name)
    for (let at = 0; at < list.length; at++) this.#item(list[at], at, kind)
    this.#trail.pop()
  }

  #item(item: unknown, at: number, kind: NameKind): void {
    if (typeof item === 'string') {
      if (item !== '' && kind.kept) this.#addReference(at, item)
      else if (!kind.prose) this.#judgeText(at, item, kind.address)
    } else if (typeof item === 'object' && item !== null) {
      if (Array.isArray(item)) return this.#list(at, kind, item)
      const id = kind.kept ? identifierOf(item) : undefined
      if (id !== undefined) this.#addReference(at, id)
      else if (kind.searched && !isEmpty(item)) return this.#addReference(at, String(this.#trail.at(-1)))
      this.#trail.push(at)
      this.object(item)
      this.#trail.pop()
    } else if (typeof item === 'number' && kind.kept) this.#addReference(at, String(item))
  }

  #addReference(name: string | number, value: string, list: Reference[] = this.references): void {
    const tooMany = list.length >= mostFound
    if (list.length > mostFound) return
    const shown = tooMany || value.length > mostCharacters ? '' : value
    list.push({ param: this.#format.path([...this.#trail, name].map(String)), value: shown })
  }
}

function identifierOf(value: object): string | undefined {
  const { id } = value as { id?: unknown }
  return typeof id === 'string' && id !== '' ? id : undefined
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false
  return true
}

/** Requests use few names. The bound keeps a caller that invents new ones from filling the memory. */
const mostNames = 1_000
const longestName = 64
const judged = new Map<string, NameKind>()
const plainKind: NameKind = {
  prose: false,
  kept: false,
  keptById: false,
  searched: false,
  address: false,
}

function kindOf(name: string): NameKind {
  let kind = judged.get(name)
  if (kind === undefined) {
    kind = name.length > longestName && !anyIdentifier.test(name) ? plainKind : judge(name)
    if (judged.size < mostNames && name.length <= longestName) judged.set(name, kind)
  }
  return kind
}

function judge(name: string): NameKind {
  // Some parsers read `ſ` as an s, and the Kelvin sign as a k.
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  const identifier = anyIdentifier.test(name) || identifierNames.test(plain)
  const isSearched = searched.has(plain)
  return {
    prose: prose.has(name),
    kept:
      isSearched ||
      keptThings.has(plain) ||
      listedNames.test(plain) ||
      (identifier && !harmlessIdentifiers.test(plain)),
    keptById: keptById.has(plain),
    searched: isSearched,
    address: /(?:url|uri|path|filedata)s?$/.test(plain),
  }
}

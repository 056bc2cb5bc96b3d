import type { Usage, UsagePart } from '@turnpike/protocol'
import { setSearches } from '../../answers/paid-services.ts'
import { parseJson } from '../../json/parse-json.ts'
import { utf8 } from '../../sse/parser.ts'
import { parseUsage } from './usage.ts'

/** A stream's usage so far, parsed only if it is read, since only the last one counts. */
export class LaterUsage implements UsagePart {
  readonly type = 'usage'
  readonly #json: string
  readonly #searches: number
  #usage: Usage | undefined

  /**
   * @param json latin1
   * @param searches reported by earlier answers
   */
  constructor(json: string, searches: number) {
    this.#json = json
    this.#searches = searches
  }

  get usage(): Usage {
    return (this.#usage ??= this.#read())
  }

  #read(): Usage {
    const raw = parseJson(utf8(this.#json))
    const usage = parseUsage(raw) ?? { raw, disbelieved: 'implausible' as const }
    if (this.#searches > 0) setSearches(usage, this.#searches)
    return usage
  }
}

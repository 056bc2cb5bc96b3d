/** The fields of commands' `--json` output that tests read. */

export interface KeyJson {
  id: string
  name: string
  raw: string
  key_prefix: string
  status: string
}

export interface ListJson {
  object: string
  data: Record<string, unknown>[]
  has_more: boolean
  next_cursor: string | null
}

import { choiceIn, textIn } from '../../search.ts'

export interface ProjectView {
  show?: 'archived'
  action?: 'new' | 'rename' | 'archive'
  project?: string
}

/** Which projects are shown, and the open action. */
export function projectSearch(search: Record<string, unknown>): ProjectView {
  return {
    show: choiceIn(search, 'show', ['archived'] as const),
    action: choiceIn(search, 'action', ['new', 'rename', 'archive'] as const),
    project: textIn(search, 'project'),
  }
}

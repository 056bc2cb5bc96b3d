/** What keys of an account are for; a name that their usage is told by. */
export interface Project {
  /** `prj_…` */
  id: string
  accountId: string
  name: string
  createdAtMs: number
  /** No key is put into it any more; those that are in it go on. */
  archivedAtMs: number | null
}

export type ProjectRefusal = 'unknown' | 'name-taken' | 'too-many'

/** Nothing was changed. */
export class ProjectRefused extends Error {
  override readonly name = 'ProjectRefused'
  readonly refusal: ProjectRefusal

  constructor(refusal: ProjectRefusal) {
    super(`refused: ${refusal}`)
    this.refusal = refusal
  }
}

/** Changes are refused by `ProjectRefused`. */
export interface ProjectStore {
  create(project: { accountId: string; name: string; most: number }, nowMs: number): Promise<Project>
  find(accountId: string, projectId: string): Promise<Project | undefined>
  /** Oldest first, archived ones too. */
  list(
    accountId: string,
    page: { limit: number; cursor?: string },
  ): Promise<{ rows: Project[]; nextCursor: string | null }>
  rename(accountId: string, projectId: string, name: string): Promise<Project>
  /** Again: the same. */
  archive(accountId: string, projectId: string, nowMs: number): Promise<Project>
}

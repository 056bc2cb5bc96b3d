/** Groups keys of an account, so that their usage can be reported by project. */
export interface Project {
  /** `prj_…` */
  id: string
  accountId: string
  name: string
  createdAtMs: number
  /** Set: no more keys may join the project; existing ones continue. */
  archivedAtMs: number | null
}

export type ProjectRefusal = 'unknown' | 'name-taken' | 'too-many'

/** Thrown when nothing was changed. */
export class ProjectRefused extends Error {
  override readonly name = 'ProjectRefused'
  readonly refusal: ProjectRefusal

  constructor(refusal: ProjectRefusal) {
    super(`refused: ${refusal}`)
    this.refusal = refusal
  }
}

/** Refused changes throw `ProjectRefused`. */
export interface ProjectStore {
  create(project: { accountId: string; name: string; most: number }, nowMs: number): Promise<Project>
  find(accountId: string, projectId: string): Promise<Project | undefined>
  /** Oldest first, including archived ones. */
  list(
    accountId: string,
    page: { limit: number; cursor?: string },
  ): Promise<{ rows: Project[]; nextCursor: string | null }>
  rename(accountId: string, projectId: string, name: string): Promise<Project>
  /** Repeating it has no further effect. */
  archive(accountId: string, projectId: string, nowMs: number): Promise<Project>
}

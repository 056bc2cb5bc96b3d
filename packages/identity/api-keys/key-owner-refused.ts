/** Why a key cannot belong to a member or project, which may not exist, or no longer. */
export type KeyOwnerRefusal = 'unknown-member' | 'unknown-project' | 'project-archived'

/** Thrown when nothing was changed. */
export class KeyOwnerRefused extends Error {
  override readonly name = 'KeyOwnerRefused'
  readonly refusal: KeyOwnerRefusal

  constructor(refusal: KeyOwnerRefusal) {
    super(`the key cannot be of that owner: ${refusal}`)
    this.refusal = refusal
  }
}

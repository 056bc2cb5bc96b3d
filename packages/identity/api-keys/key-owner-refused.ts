/** Why a key cannot be a member's, or in a project: there is no such, or not any more. */
export type KeyOwnerRefusal = 'unknown-member' | 'unknown-project' | 'project-archived'

/** Nothing was changed. */
export class KeyOwnerRefused extends Error {
  override readonly name = 'KeyOwnerRefused'
  readonly refusal: KeyOwnerRefusal

  constructor(refusal: KeyOwnerRefusal) {
    super(`the key cannot be of that owner: ${refusal}`)
    this.refusal = refusal
  }
}

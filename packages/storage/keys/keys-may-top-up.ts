/**
 * Whether 402s of an account's keys contain a checkout link. By default they do for a person, who pays for
 * them, but not for an organization, whose keys many people have.
 */
export function keysMayTopUp(account: { keys_may_top_up: bigint | null; kind: string }): boolean {
  const { keys_may_top_up: setting, kind } = account
  return setting === null ? kind === 'person' : setting === 1n
}

/**
 * Whether 402s of an account's keys have a link to a checkout. Where nobody has said: of a person's keys, who
 * pays for them; of an organization's, whose keys many have, they do not.
 */
export function keysMayTopUp(account: { keys_may_top_up: bigint | null; kind: string }): boolean {
  const { keys_may_top_up: said, kind } = account
  return said === null ? kind === 'person' : said === 1n
}

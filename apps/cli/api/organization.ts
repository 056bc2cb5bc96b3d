import type { List, Organization } from '@turnpike/api'
import type { Context } from '../context.ts'
import { badInput } from '../failure.ts'

const idPattern = /^acct_[0-9a-z]{26}$/
const found = new WeakMap<Context, Promise<string>>()

/**
 * The id of the organization to act for; undefined for the user's own account. Prints which one it is, since
 * nothing else shows that.
 * @param list the user's organizations
 * @throws {Failure} if none or several have the name
 */
export async function organizationOf(
  context: Context,
  list: () => Promise<List<Organization>>,
): Promise<string | undefined> {
  const { organization } = context
  if (organization === undefined) return undefined
  const known = found.get(context) ?? resolveOrganization(context, organization, list)
  found.set(context, known)
  // `turnpike mcp` runs for hours, and should ask again.
  known.catch(() => found.delete(context))
  return known
}

async function resolveOrganization(
  { output }: Context,
  organization: string,
  list: () => Promise<List<Organization>>,
): Promise<string> {
  if (idPattern.test(organization)) {
    output.say(`for ${organization}`)
    return organization
  }
  const named = (await list()).data.filter(({ name }) => name === organization)
  const [one] = named
  if (one === undefined || named.length > 1) {
    const what = one === undefined ? 'no' : 'more than one'
    const hint = 'See: turnpike org list'
    throw badInput(`--org: you belong to ${what} organization called "${organization}".`, '--org', hint)
  }
  output.say(`for ${one.name}`)
  return one.id
}

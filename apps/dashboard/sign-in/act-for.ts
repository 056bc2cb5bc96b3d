import { beginActing } from '../api/acting.ts'
import { bodyOf, personApi } from '../api/client.ts'

/**
 * Switches to the account that a link names, which may be the person's own. If the person cannot be read
 * now, nothing changes.
 */
export async function actForAddressed(accountId: string): Promise<void> {
  try {
    const { id } = await bodyOf(personApi.GET('/api/v1/me'))
    beginActing(id === accountId ? undefined : accountId)
  } catch {
    // The next page makes the same request and shows the error.
  }
}

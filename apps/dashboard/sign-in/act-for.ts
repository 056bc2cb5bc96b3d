import { beginActing } from '../api/acting.ts'
import { bodyOf, personApi } from '../api/client.ts'

/** Acts for that account, be it the person's own; where that cannot be known now, for whom it was before. */
export async function actForAddressed(accountId: string): Promise<void> {
  try {
    const { id } = await bodyOf(personApi.GET('/api/v1/me'))
    beginActing(id === accountId ? undefined : accountId)
  } catch {
    // The page that comes says what is wrong: it asks the same.
  }
}

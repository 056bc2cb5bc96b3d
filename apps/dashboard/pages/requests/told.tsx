import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { requestLogQuery } from '../../api/log-queries.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { errorMessageIn } from './error-message.ts'

/** The error message that the caller got. Only the prompt log stores it. */
export function Told({ request: { id, has_log: isKept } }: { request: Schemas['RequestDetail'] }) {
  const { data } = useQuery({ ...requestLogQuery(id), enabled: isKept })
  const message = errorMessageIn(data?.answer?.body)
  if (message === undefined) return null
  return (
    <Text size="sm" mt={6} component="div">
      Error returned to the caller: <ForeignText text={message} lines={3} />
    </Text>
  )
}

import { TextInput } from '@mantine/core'
import { IconSearch } from '../../icons/icons.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'

const route = getRouteApi('/requests')
/** A request ID, as in the `x-request-id` header, an error or a log; text around it is ignored. */
const pattern = /req_[0-9a-hjkmnp-tv-z]{26}/i

/** Opens a request by its ID. */
export function FindRequest() {
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const find = (): void => {
    const id = pattern.exec(typed)?.[0].toLowerCase()
    setWrong(id === undefined)
    if (id !== undefined) void navigate({ to: '/requests/$requestId', params: { requestId: id } })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        find()
      }}
    >
      <TextInput
        aria-label="Find a request by id"
        placeholder="req_… from x-request-id"
        leftSection={<IconSearch size={16} aria-hidden />}
        w={{ base: '100%', xs: 300 }}
        autoComplete="off"
        spellCheck={false}
        error={isWrong && 'An id starts with req_, followed by 26 characters.'}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setWrong(false)
        }}
      />
    </form>
  )
}

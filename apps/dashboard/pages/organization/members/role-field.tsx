import { Radio, Stack } from '@mantine/core'
import { rolesGivenBy, roleWords } from '../../../api/roles.ts'
import { roleNames, type Role } from '../../../api/role-names.ts'
import { useFieldError } from '../../../components/forms/field-error.tsx'

interface RoleFieldProps {
  role: Role
  /** The role of the person who assigns it; nobody assigns one above their own. */
  givenBy: Role | undefined
  onChange: (role: Role) => void
}

export function RoleField({ role, givenBy, onChange }: RoleFieldProps) {
  const { error } = useFieldError('role')
  return (
    <Radio.Group label="Role" error={error} value={role} onChange={(value) => onChange(value)}>
      <Stack gap="sm" mt="xs">
        {rolesGivenBy(givenBy).map((one) => (
          <Radio key={one} value={one} label={roleNames[one]} description={roleWords[one]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

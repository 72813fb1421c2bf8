import { MantineProvider, NumberInput } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { theme } from './theme';

test('a number input has no stepping buttons, and the arrow keys step', async () => {
  render(
    <MantineProvider theme={theme} env="test">
      <NumberInput label="Attempts" defaultValue={3} />
    </MantineProvider>,
  );
  const input = screen.getByRole('textbox', { name: 'Attempts' }) as HTMLInputElement;
  expect(document.querySelectorAll('button')).toHaveLength(0);
  await userEvent.type(input, '{ArrowUp}');
  expect(input.value).toBe('4');
});

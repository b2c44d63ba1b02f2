import { createTheme, localStorageColorSchemeManager } from "@mantine/core";

/** Colours, type and spacing are CSS variables (tokens.css, mantine-variables.css); only defaults of components stand here. */
export const theme = createTheme({
  cursorType: "pointer",
  components: {
    Button: { defaultProps: { size: "sm" } },
    TextInput: { defaultProps: { size: "md" } },
    PasswordInput: { defaultProps: { size: "md" } },
    Textarea: { defaultProps: { size: "md" } },
    Select: { defaultProps: { size: "md" } },
    // Every close button says what it is; an icon alone is silent.
    CloseButton: { defaultProps: { "aria-label": "Close" } },
  },
});

/** The choice of light or dark is no personal data, so it survives sign-out. public/color-scheme.js reads the same key. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: "ewebal.colorScheme" });

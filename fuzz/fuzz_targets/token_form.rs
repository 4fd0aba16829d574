#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    lyceum_fuzz::token_form(input);
});

// Functions of double precision with the same bits on every machine. Those of the C library are faster and differ: glibc chooses one with or
// without fused multiply-adds by the processor, and versions differ too. They decide the angles of positions, whose bits must be equal
// wherever a map is computed. Made of additions, products, quotients and rounding alone, each of which IEEE 754 defines to the bit.
#pragma once

namespace headlight {

/// Within 3 units in the last place, or 1e-16 near their zeros, for |x| up to 10^6; beyond, and for numbers that are not finite, those of the
/// C library.
double steady_sin(double x);
double steady_cos(double x);

/// ln x within 3 units in the last place, near 1 within 1e-16. x normal and above 0; else that of the C library.
double steady_log(double x);

/// e^x within 3 units in the last place, for |x| up to 700; beyond, and for numbers that are not finite, that of the C library.
double steady_exp(double x);

/// base^exponent, base above 0: within some 100 units in the last place; exact where the base is 2 and the exponent whole.
double steady_power(double base, double exponent);

}  // namespace headlight

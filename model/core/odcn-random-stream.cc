// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-random-stream.h"

#include "odcn-error.h"

#include "ns3/rng-seed-manager.h"

#include <cstddef>
#include <string>

namespace ns3::odcn
{

namespace
{

/// Three numbers of a recursion, oldest first.
using State = std::array<uint64_t, 3>;
/// What takes a State to a later one.
using Matrix = std::array<State, 3>;

/// Power of two by which substreams of ns-3 (runs) are apart.
constexpr int SUBSTREAM = 76;
/// Power of two by which streams of ns-3 are apart.
constexpr int STREAM = 127;
/// Bits of the number of a stream or a run.
constexpr int BITS = 64;

/**
 * The powers of a recursion's matrix by which streams and substreams begin (L'Ecuyer et al., An
 * object-oriented random-number package, Operations Research 50(6), 2002).
 *
 * @tparam MODULUS of the recursion
 */
template <uint64_t MODULUS>
class Jumps
{
  public:
    /// @param last last row of the matrix, whose other rows shift
    explicit Jumps(const State& last)
    {
        Matrix power{State{0, 1, 0}, State{0, 0, 1}, last};
        for (int i = 0; i < STREAM + BITS; ++i)
        {
            if (i >= SUBSTREAM)
            {
                m_powers[i - SUBSTREAM] = power;
            }
            Matrix square{};
            for (int row = 0; row < 3; ++row)
            {
                // A row of the product is that of the left factor times the right one.
                for (int column = 0; column < 3; ++column)
                {
                    const State right{power[0][column], power[1][column], power[2][column]};
                    square[row][column] = Multiply(power[row], right);
                }
            }
            power = square;
        }
    }

    /**
     * @param [in,out] state moved ahead by @p number times 2^@p exponent numbers
     * @param number a factor
     * @param exponent SUBSTREAM or STREAM
     */
    void Advance(State& state, uint64_t number, int exponent) const
    {
        for (int bit = 0; bit < BITS; ++bit)
        {
            if ((number >> bit & 1) != 0)
            {
                const Matrix& power = m_powers[exponent - SUBSTREAM + bit];
                state = {Multiply(power[0], state),
                         Multiply(power[1], state),
                         Multiply(power[2], state)};
            }
        }
    }

  private:
    /// @param a numbers below MODULUS, which is below 2^32
    /// @param b likewise
    /// @return their scalar product
    static uint64_t Multiply(const State& a, const State& b)
    {
        return (a[0] * b[0] % MODULUS + a[1] * b[1] % MODULUS + a[2] * b[2] % MODULUS) % MODULUS;
    }

    std::array<Matrix, STREAM + BITS - SUBSTREAM> m_powers; //!< 2^i numbers ahead, from SUBSTREAM
};

} // namespace

RandomStream::RandomStream(int64_t stream)
{
    static const Jumps<M1> first({M1 - A13, A12, 0});
    static const Jumps<M2> second({M2 - A23, 0, A21});
    const uint64_t seed = RngSeedManager::GetSeed();
    if (seed == 0 || seed >= M2)
    {
        throw OdcnError::InOption("RngSeed", std::to_string(seed), "1 to 4294944442");
    }
    // Same stream number as in RandomVariableStream::SetStream().
    const uint64_t number = stream < 0 ? RngSeedManager::GetNextStreamIndex()
                                       : (uint64_t(1) << 63) + static_cast<uint64_t>(stream);
    m_first.fill(seed);
    m_second.fill(seed);
    first.Advance(m_first, number, STREAM);
    first.Advance(m_first, RngSeedManager::GetRun(), SUBSTREAM);
    second.Advance(m_second, number, STREAM);
    second.Advance(m_second, RngSeedManager::GetRun(), SUBSTREAM);
}

} // namespace ns3::odcn
